import dev.kiln.stats.TruthFamilies;
import dev.kiln.stats.TruthSeries;
import dev.kiln.stats.TruthSeries.Family;
import dev.kiln.stats.TruthSeries.Truth;
import dev.kiln.stats.WiderFamilies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.TreeSet;
import tools.jackson.databind.ObjectMapper;

/** Writes series as CSV, a row a second, and {@code truth.json}. SEED COUNT DIR [held-out|wider] */
final class Simulate {
    public static void main(String[] args) throws IOException {
        Map<String, Family> families =
                switch (args.length > 3 ? args[3] : "") {
                    case "held-out" -> HeldOut.ALL;
                    case "wider" -> WiderFamilies.ALL;
                    default -> TruthFamilies.ALL;
                };
        Path folder = Files.createDirectories(Path.of(args[2]));
        List<Truth> all = TruthSeries.series(
                Long.parseLong(args[0]), Integer.parseInt(args[1]), families);
        Map<String, Object> truths = new TreeMap<>();
        for (int i = 0; i < all.size(); i++) {
            Truth one = all.get(i);
            String name = one.family().replaceAll("[^a-z0-9]+", "-") + "_%04d".formatted(i);
            String rate = one.known().offered().isPresent() ? "," + one.known().offered().getAsDouble() : "";
            StringBuilder csv = new StringBuilder(rate.isEmpty() ? "phase,requests\n" : "phase,requests,rate\n");
            rows(csv, "warmup", one.warmup(), rate);
            rows(csv, "measure", one.measure(), rate);
            Files.writeString(folder.resolve(name + ".csv"), csv);
            truths.put(name, truth(one));
        }
        Files.writeString(
                folder.resolve("truth.json"),
                new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(truths));
    }

    private static void rows(StringBuilder csv, String phase, double[] requests, String rate) {
        for (double x : requests) {
            csv.append(phase).append(',').append((long) x).append(rate).append('\n');
        }
    }

    private static Map<String, Object> truth(Truth one) {
        Map<String, Object> out = new TreeMap<>();
        out.put("family", one.family());
        out.put("seconds", one.warmup().length);
        out.put("noise", one.noise());
        out.put("verdicts", new TreeSet<>(one.verdicts()));
        if (!one.known().times().containsKey(90)) {
            out.put("t90", "not asked");
        } else {
            out.put("t90", one.t90().isPresent() ? (Object) one.t90().getAsDouble() : null);
        }
        Map<String, Object> times = new TreeMap<>();
        one.known().times().forEach((percent, at) -> times.put(percent.toString(), orNull(at)));
        out.put("times", times);
        out.put("peak", orNull(one.known().peak()));
        out.put("endOverPeak", orNull(one.known().endOverPeak()));
        out.put("end", orNull(one.known().end()));
        out.put("costSeconds", orNull(one.known().costSeconds()));
        out.put("jump", orNull(one.known().jump()));
        return out;
    }

    private static Object orNull(OptionalDouble value) {
        return value.isPresent() ? value.getAsDouble() : null;
    }
}
