import dev.kiln.stats.TruthFamilies;
import dev.kiln.stats.TruthSeries;
import dev.kiln.stats.TruthSeries.Truth;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import tools.jackson.databind.ObjectMapper;

/** Writes series as CSV, a row a second, and {@code truth.json}. SEED COUNT DIR [held-out] */
final class Simulate {
    public static void main(String[] args) throws IOException {
        boolean heldOut = args.length > 3 && args[3].equals("held-out");
        Path folder = Files.createDirectories(Path.of(args[2]));
        List<Truth> all = TruthSeries.series(
                Long.parseLong(args[0]), Integer.parseInt(args[1]), heldOut ? HeldOut.ALL : TruthFamilies.ALL);
        Map<String, Object> truths = new TreeMap<>();
        for (int i = 0; i < all.size(); i++) {
            Truth one = all.get(i);
            String name = one.family().replaceAll("[^a-z0-9]+", "-") + "_%04d".formatted(i);
            StringBuilder csv = new StringBuilder("phase,requests\n");
            rows(csv, "warmup", one.warmup());
            rows(csv, "measure", one.measure());
            Files.writeString(folder.resolve(name + ".csv"), csv);
            truths.put(name, truth(one));
        }
        Files.writeString(
                folder.resolve("truth.json"),
                new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(truths));
    }

    private static void rows(StringBuilder csv, String phase, double[] requests) {
        for (double x : requests) {
            csv.append(phase).append(',').append((long) x).append('\n');
        }
    }

    private static Map<String, Object> truth(Truth one) {
        Map<String, Object> out = new TreeMap<>();
        out.put("family", one.family());
        out.put("seconds", one.warmup().length);
        out.put("noise", one.noise());
        out.put("verdicts", new TreeSet<>(one.verdicts()));
        if (!one.asked()) {
            out.put("t90", "not asked");
        } else {
            out.put("t90", one.t90().isPresent() ? (Object) one.t90().getAsDouble() : null);
        }
        return out;
    }
}
