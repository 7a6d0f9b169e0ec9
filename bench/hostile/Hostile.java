import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Attacks Kiln with folders and files of somebody else, and counts what did not hold: a hang of over 10 s, an Error or a bug, a
 * byte written outside, a control character on the terminal. Arguments: the kiln to run, rounds of fuzzing, seed.
 */
public final class Hostile {
    private static final int HANG_SECONDS = 10;
    private static final String PRECIOUS = "precious";
    private static final String EVIL = "x\u001b]0;PWNED\u0007\u001b[31m";

    private static final class Count {
        private int tried;
        private int hung;
        private int bugs;
        private int written;
        private int controls;
    }

    private final String kiln;
    private final Path scratch;
    private final Path precious;
    private final Map<String, Count> counts = new LinkedHashMap<>();

    private Hostile(String kiln, Path scratch) throws IOException {
        this.kiln = kiln;
        this.scratch = scratch;
        this.precious = Files.writeString(scratch.resolve("precious"), PRECIOUS);
    }

    public static void main(String[] args) throws Exception {
        Path scratch = Files.createTempDirectory("kiln-hostile-");
        try {
            Hostile hostile = new Hostile(args[0], scratch);
            hostile.folders();
            hostile.fuzz(Integer.parseInt(args[1]), new Random(Long.parseLong(args[2])));
            hostile.names();
            System.exit(hostile.table());
        } finally {
            delete(scratch);
        }
    }

    /** Every file of an experiment's folder as a link, a pipe, and three gigabytes of nothing. */
    private void folders() throws Exception {
        Path good = evidence("good");
        List<Path> files;
        try (Stream<Path> all = Files.walk(good)) {
            files = all.filter(Files::isRegularFile).map(good::relativize).sorted().toList();
        }
        for (Path file : files) {
            for (String how : List.of("link", "pipe", "huge")) {
                Path bad = copy(good, scratch.resolve("bad"));
                replace(bad.resolve(file), how);
                run("folders: a " + how, "report", bad.toString());
                run("folders: a " + how, "explain", bad.toString());
                delete(bad);
            }
        }
        delete(good);
    }

    private void fuzz(int rounds, Random random) throws Exception {
        Path good = evidence("fuzzed");
        List<Path> files;
        try (Stream<Path> all = Files.walk(good)) {
            files = all.filter(Files::isRegularFile).sorted().toList();
        }
        String yaml = "target: {command: 'java -jar a.jar'}\nload: {url: 'http://localhost:1/'}\nvariants: {a: {}, b: {extends: a}}\n";
        for (int round = 0; round < rounds; round++) {
            Path file = files.get(random.nextInt(files.size()));
            byte[] before = Files.readAllBytes(file);
            Files.write(file, mutated(before, random));
            run("fuzzed evidence", "report", good.toString());
            Files.write(file, before);
            Path input = scratch.resolve("input");
            Files.write(input, mutated(yaml.getBytes(StandardCharsets.UTF_8), random));
            run("fuzzed experiments", "plan", input.toString());
            Files.write(input, mutated("time,requests\n1,10\n2,20\n3,30\n".getBytes(StandardCharsets.UTF_8), random));
            run("fuzzed tables", "compare", input.toString(), input.toString());
            run("fuzzed tables", "analyze", input.toString());
            run("fuzzed imports", "import", "--results", scratch.resolve("out").toString(), input.toString());
        }
    }

    private void names() throws Exception {
        for (String command : List.of("report", "plan", "compare", "analyze", "import", "history", EVIL)) {
            run("control characters", command, scratch.resolve(EVIL).toString());
        }
        for (String command : List.of("analyze", "plan", "import")) {
            run("a device without an end", command, "/dev/zero");
        }
    }

    /** Made by an import, which needs no service. */
    private Path evidence(String name) throws Exception {
        StringBuilder csv = new StringBuilder("phase,start_ms,end_ms,requests\n");
        for (int second = 0; second < 120; second++) {
            csv.append("load,").append(second * 1000).append(',').append((second + 1) * 1000).append(',');
            csv.append(Math.min(1000, second * 20) + second % 7).append('\n');
        }
        Path input = Files.writeString(scratch.resolve("series.csv"), csv);
        Path results = scratch.resolve(name);
        List<String> command = List.of(kiln, "import", "--results", results.toString(), input.toString());
        Process made = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(scratch.resolve("made").toFile()).start();
        if (made.waitFor() > 1) {
            throw new IOException(Files.readString(scratch.resolve("made")));
        }
        try (Stream<Path> all = Files.list(results)) {
            return all.findFirst().orElseThrow();
        }
    }

    private void replace(Path file, String how) throws Exception {
        Files.delete(file);
        switch (how) {
            case "link" -> Files.createSymbolicLink(file, precious);
            case "pipe" -> new ProcessBuilder("mkfifo", file.toString()).start().waitFor();
            default -> {
                try (RandomAccessFile made = new RandomAccessFile(file.toFile(), "rw")) {
                    made.setLength(3L << 30);
                }
            }
        }
    }

    private void run(String attack, String... words) throws Exception {
        Count count = counts.computeIfAbsent(attack, name -> new Count());
        List<String> command = new ArrayList<>(List.of(kiln));
        command.addAll(Arrays.asList(words));
        Path said = scratch.resolve("said");
        Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile()).start();
        count.tried++;
        if (!process.waitFor(HANG_SECONDS, TimeUnit.SECONDS)) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
            count.hung++;
            System.err.println("hung: " + command);
            return;
        }
        String text = Files.readString(said, StandardCharsets.ISO_8859_1);
        if (process.exitValue() == 70 || text.contains("a bug in Kiln") || text.contains("Error: ")) {
            count.bugs++;
            System.err.println("bug: " + command + "\n" + text.lines().limit(3).toList());
        }
        count.controls += text.indexOf('\u001b') >= 0 ? 1 : 0;
        count.written += Files.readString(precious).equals(PRECIOUS) ? 0 : 1;
    }

    private int table() {
        System.out.println("| attack | tried | hung over 10 s | Error or bug | wrote outside | control characters |");
        System.out.println("|---|---|---|---|---|---|");
        int wrong = 0;
        for (Map.Entry<String, Count> row : counts.entrySet()) {
            Count c = row.getValue();
            System.out.println("| " + row.getKey() + " | " + c.tried + " | " + c.hung + " | " + c.bugs + " | " + c.written
                    + " | " + c.controls + " |");
            wrong += c.hung + c.bugs + c.written + c.controls;
        }
        return wrong == 0 ? 0 : 1;
    }

    private static byte[] mutated(byte[] sample, Random random) {
        byte[] bytes = sample.clone();
        for (int n = random.nextInt(4); n >= 0 && bytes.length > 0; n--) {
            int at = random.nextInt(bytes.length);
            switch (random.nextInt(3)) {
                case 0 -> bytes = Arrays.copyOf(bytes, at);
                case 1 -> bytes[at] = (byte) random.nextInt();
                default -> bytes[at] = (byte) "0123456789-+.,:;\"'{}[]()\n\0".charAt(random.nextInt(26));
            }
        }
        return bytes;
    }

    private static Path copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path file : all.toList()) {
                Path copy = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(copy);
                } else {
                    Files.copy(file, copy);
                }
            }
        }
        return to;
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
