package dev.kiln.importer.program;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.zip.CRC32;
import tools.jackson.databind.JsonNode;

/**
 * A BenchmarkName is the name of a benchmark with its parameters, and what stands for it where files are named.
 *
 * @param full as JMH has it
 */
record BenchmarkName(String full) {
    /** File systems allow 255 bytes; tables want fewer. */
    private static final int LONGEST = 100;

    /** Returns the name of a result in JMH's JSON; mean times are distinguished from throughput. */
    static BenchmarkName of(JsonNode benchmark) {
        return of(
                benchmark.path("benchmark").asString("benchmark"),
                benchmark.path("params").properties().stream()
                        .map(parameter -> Map.entry(
                                parameter.getKey(), parameter.getValue().asString("")))
                        .toList(),
                benchmark.path("mode").asString(""));
    }

    static BenchmarkName of(String benchmark, Iterable<Map.Entry<String, String>> parameters, String mode) {
        StringBuilder name = new StringBuilder(benchmark);
        for (Map.Entry<String, String> parameter : parameters) {
            name.append('-').append(parameter.getKey()).append('=').append(parameter.getValue());
        }
        return new BenchmarkName(name.append(mode.equals("avgt") ? "-avgt" : "").toString());
    }

    @Override
    public String toString() {
        return full;
    }

    boolean isFolder() {
        return folder().equals(full);
    }

    /** Letters, digits and a few signs; where that lost something of the name, with a check sum of all of it. */
    String folder() {
        String plain = full.replaceAll("[^A-Za-z0-9._=+-]", "_");
        if (plain.equals(full) && full.length() <= LONGEST) {
            return full;
        }
        CRC32 sum = new CRC32();
        sum.update(full.getBytes(StandardCharsets.UTF_8));
        String begin = plain.length() <= LONGEST - 9 ? plain : plain.substring(0, LONGEST - 9);
        return String.format(Locale.ROOT, "%s.%08x", begin, sum.getValue());
    }
}
