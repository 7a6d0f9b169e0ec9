import dev.kiln.cli.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.io.StringWriter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * Attacks Kiln with folders and files of somebody else, and counts what did not hold: a hang of over 10 s, an Error or a bug, a
 * byte written outside, a control character on the terminal, a script that ran in a browser. Most attacks call the program in this JVM, since a start costs a
 * second and more; what could end a JVM, and one of each kind, is tried on the program as a user starts it. Arguments: the
 * kiln to run, rounds of fuzzing, seed.
 */
public final class Hostile {
    private static final int HANG_SECONDS = 10;

    /** What a JVM that only waits does not use in that time. */
    private static final Duration PROGRESS = Duration.ofMillis(50);

    private static final String PRECIOUS = "precious";
    private static final String EXPERIMENT =
            "target: {command: 'java -jar a.jar'}\nload: {url: 'http://localhost:1/'}\nvariants: {a: {}, b: {extends: a}}\n";
    private static final String TABLE = "time,requests\n1,10\n2,20\n3,30\n";
    private static final String EVIL = "x\u001b]0;PWNED\u0007\u001b[31m";

    private static final class Count {
        private int tried;
        private int hung;
        private int bugs;
        private int written;
        private int controls;
        private int scripts;
    }

    private final String kiln;
    private final Path scratch;
    private final Path precious;
    private final Map<String, Count> counts = new LinkedHashMap<>();
    private final Set<String> untried = new LinkedHashSet<>();

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
            hostile.jails();
            hostile.browser();
            System.exit(hostile.table());
        } finally {
            delete(scratch);
        }
    }

    /** Every file of an experiment's folder as a link, a pipe, and three gigabytes of nothing. */
    private void folders() throws Exception {
        Path good = evidence("good");
        for (Path file : filesOf(good)) {
            for (String how : List.of("link", "pipe", "huge")) {
                Path bad = copy(good, scratch.resolve("bad"));
                replace(bad.resolve(good.relativize(file)), how);
                call("folders: a " + how, bad, "report", bad.toString());
                call("folders: a " + how, bad, "explain", bad.toString());
                delete(bad);
            }
        }
        for (String how : List.of("link", "pipe", "huge")) {
            Path bad = copy(good, scratch.resolve("bad"));
            replace(bad.resolve("summary.json"), how);
            run("as a program: a " + how, "report", bad.toString());
            delete(bad);
        }
        delete(good);
    }

    private static List<Path> filesOf(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile).sorted().toList();
        }
    }

    private void fuzz(int rounds, Random random) throws Exception {
        Path good = evidence("fuzzed");
        List<Path> files = filesOf(good);
        Path input = scratch.resolve("input");
        for (int round = 0; round < rounds; round++) {
            Path file = files.get(random.nextInt(files.size()));
            byte[] before = Files.readAllBytes(file);
            Files.write(file, mutated(before, random));
            call("fuzzed evidence", file, "report", good.toString());
            Files.write(file, before);
            Files.write(input, mutated(EXPERIMENT.getBytes(StandardCharsets.UTF_8), random));
            call("fuzzed experiments", input, "plan", input.toString());
            Files.write(input, mutated(TABLE.getBytes(StandardCharsets.UTF_8), random));
            call("fuzzed tables", input, "compare", input.toString(), input.toString());
            call("fuzzed tables", input, "analyze", input.toString());
            Files.write(input, mutated(Files.readAllBytes(scratch.resolve("series.csv")), random));
            call("fuzzed imports", input, "import", "--evidence-only", "--results", scratch.resolve("out").toString(), input.toString());
        }
        delete(good);
    }

    /** In this JVM. What hangs keeps its thread, so nothing is tried after it. */
    private void call(String attack, Path culprit, String... words) throws Exception {
        StringWriter said = new StringWriter();
        PrintWriter writer = new PrintWriter(said, true);
        FutureTask<Integer> task = new FutureTask<>(() -> Main.run(List.of(words), writer, writer));
        Thread.ofPlatform().daemon().start(task);
        Count count = counts.computeIfAbsent(attack, name -> new Count());
        count.tried++;
        if (hangs(ProcessHandle.current(), task::isDone)) {
            count.hung++;
            System.err.println("hung: " + List.of(words) + (Files.isRegularFile(culprit) ? " on " + Base64.getEncoder().encodeToString(Files.readAllBytes(culprit)) : ""));
            System.exit(table());
        }
        try {
            judge(count, task.get(), said.toString(), List.of(words));
        } catch (ExecutionException e) {
            count.bugs++;
            System.err.println("bug: " + List.of(words) + " " + e.getCause());
        }
    }

    /**
     * Waits until it is done, or hangs: it has used 10 s of CPU, or next to none for 10 s. Wall time alone would call a
     * program hung that shares its CPUs with twenty others.
     */
    private static boolean hangs(ProcessHandle process, BooleanSupplier done) throws InterruptedException {
        Duration begin = cpu(process);
        Duration mark = begin;
        long since = System.nanoTime();
        while (!done.getAsBoolean()) {
            Duration now = cpu(process);
            if (now.minus(mark).compareTo(PROGRESS) > 0) {
                mark = now;
                since = System.nanoTime();
            }
            if (now.minus(begin).toSeconds() >= HANG_SECONDS
                    || System.nanoTime() - since >= TimeUnit.SECONDS.toNanos(HANG_SECONDS)) {
                return !done.getAsBoolean();
            }
            Thread.sleep(5);
        }
        return false;
    }

    private static Duration cpu(ProcessHandle process) {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    private void judge(Count count, int exit, String text, List<String> command) throws IOException {
        if (exit == 70 || text.contains("a bug in Kiln") || text.contains("Error: ")) {
            count.bugs++;
            System.err.println("bug: " + command + "\n" + text.lines().limit(3).toList());
        }
        count.controls += text.indexOf('\u001b') >= 0 ? 1 : 0;
        count.written += Files.readString(precious).equals(PRECIOUS) ? 0 : 1;
    }

    private void names() throws Exception {
        for (String command : List.of("report", "plan", "compare", "analyze", "import", "history", EVIL)) {
            call("control characters", scratch, command, scratch.resolve(EVIL).toString());
        }
        run("as a program: control characters", "report", scratch.resolve(EVIL).toString());
        for (String command : List.of("analyze", "plan", "import")) {
            run("as a program: a device without an end", command, "/dev/zero");
        }
    }

    /** As root, the doctor may reach what the jailed user may not. */
    private void jails() throws Exception {
        for (String kind : Jail.KINDS) {
            try (Jail jail = Jail.of(kind, scratch)) {
                if (!jail.isAlive()) {
                    untried.add("a jail: no namespace for a user without rights here");
                    return;
                }
                String pid = Long.toString(jail.process().pid());
                String attack = "as a program: a jail, " + kind;
                run(attack, "doctor", pid, "--for", "2s");
                run(attack, "warm", pid, "--url", "http://127.0.0.1:9/", "--budget", "30s");
                run(attack, "aot", "check", "--pid", pid);
                counts.get(attack).written += jail.ledOutside() ? 1 : 0;
            }
        }
    }

    /** Every text that is recorded is a script. */
    private void browser() throws Exception {
        Optional<Path> browser = Browser.find();
        if (browser.isEmpty()) {
            untried.add("a browser: there is no Chromium here");
            return;
        }
        Path evil = evidence("evil");
        Browser.poison(evil);
        run("as a program: scripts in evidence", "report", evil.toString());
        String id = URLEncoder.encode(evil.getFileName().toString(), StandardCharsets.UTF_8);
        page(browser.get(), "a page of a report", evil.resolve("report.html").toUri().toString());
        Browser.poison(evil);
        try (Browser.Server server = Browser.Server.of(kiln, evil.getParent())) {
            String variant = URLEncoder.encode(evil.getFileName() + "//series" + Browser.SCRIPT, StandardCharsets.UTF_8);
            String service = URLEncoder.encode("imported" + Browser.SCRIPT, StandardCharsets.UTF_8).replace("+", "%20");
            for (String path : List.of("/", "/experiment/" + id, "/compare?v=" + variant, "/service/" + service, "/watch/" + id)) {
                page(browser.get(), "a page of kiln serve", server.address() + path);
            }
        }
    }

    private void page(Path browser, String attack, String url) throws Exception {
        Count count = counts.computeIfAbsent(attack, name -> new Count());
        count.tried++;
        Optional<String> dom = Browser.dom(browser, scratch, url);
        if (dom.isEmpty()) {
            count.hung++;
            System.err.println("hung: " + url);
            return;
        }
        if (!Browser.shows(dom.get())) {
            untried.add("the text in " + url.replaceAll("[?/][^/]*%3[\\s\\S]*", "/...") + ": it shows none of it");
        }
        if (Browser.ran(dom.get())) {
            count.scripts++;
            System.err.println("script: " + url);
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
        Files.deleteIfExists(file);
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

    /** What is refused as no command was not tried. */
    private static final int USAGE = 2;

    private void run(String attack, String... words) throws Exception {
        Count count = counts.computeIfAbsent(attack, name -> new Count());
        List<String> command = new ArrayList<>(List.of(kiln));
        command.addAll(Arrays.asList(words));
        Path said = scratch.resolve("said");
        Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile()).start();
        count.tried++;
        if (hangs(process.toHandle(), () -> !process.isAlive())) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
            count.hung++;
            System.err.println("hung: " + command);
            return;
        }
        if (process.waitFor() == USAGE && attack.contains("jail")) {
            untried.add(String.join(" ", words) + ": " + Files.readString(said, StandardCharsets.ISO_8859_1).lines().findFirst().orElse(""));
        }
        judge(count, process.exitValue(), Files.readString(said, StandardCharsets.ISO_8859_1), command);
    }

    private int table() {
        System.out.println("| attack | tried | hung | Error or bug | wrote outside | control characters | scripts |");
        System.out.println("|---|---|---|---|---|---|---|");
        int wrong = 0;
        for (Map.Entry<String, Count> row : counts.entrySet()) {
            Count c = row.getValue();
            System.out.println("| " + row.getKey() + " | " + c.tried + " | " + c.hung + " | " + c.bugs + " | " + c.written
                    + " | " + c.controls + " | " + c.scripts + " |");
            wrong += c.hung + c.bugs + c.written + c.controls + c.scripts;
        }
        untried.forEach(what -> System.out.println("\nNot tried: " + what + "."));
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
