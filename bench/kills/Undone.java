import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Kills Kiln at drawn moments of runs whose service a script starts anew, and looks whether all is undone that its commands
 * did. Arguments: Kiln's folder, the number of kills, a seed, and what java is given to run Kiln.
 *
 * <p>The scripts keep a book of the commands. A kill comes up to three seconds after a drawn number of them, so on a slow
 * machine too it meets all that there is to undo. A mark in the environment, which all processes inherit, finds what still
 * runs.
 */
public class Undone {
    private static final String MARK = "KILN_UNDONE";
    private static final long PATIENCE_SECONDS = 120;

    /** An experiment comes to so many commands: one for all, and up to three for each variant. */
    private static final int MOST_COMMANDS = 9;

    private static final int BEHIND_MILLIS = 3_000;

    private static final String BEFORE = "limits: 512m\n";

    /** The findings for one signal and what there was to undo when it came. */
    static final class Row {
        int kills;
        final Map<String, Integer> exits = new TreeMap<>();
        final List<String> faults = new ArrayList<>();
    }

    private final Path root;
    private final List<String> kilnWords;
    private final Random random;
    private final Map<String, Row> rows = new TreeMap<>();

    Undone(Path root, List<String> kilnWords, long seed) {
        this.root = root;
        this.kilnWords = kilnWords;
        this.random = new Random(seed);
    }

    public static void main(String[] args) throws Exception {
        int kills = Integer.parseInt(args[1]);
        long seed = Long.parseLong(args[2]);
        Undone all = new Undone(Path.of(args[0]), List.of(args).subList(3, args.length), seed);
        for (int i = 0; i < kills; i++) {
            String signal = i % 2 == 0 ? "INT" : "KILL";
            System.err.printf("%d/%d %s%n", i + 1, kills, signal);
            try (Place place = all.new Place()) {
                place.kill(signal);
            }
        }
        System.exit(all.print(seed) ? 0 : 1);
    }

    private boolean print(long seed) {
        System.out.println("| signal | what there was to undo | kills | exit codes | left |");
        System.out.println("|---|---|--:|---|--:|");
        rows.forEach((key, row) -> System.out.printf(
                "| %s | %d | %s | %d |%n",
                key,
                row.kills,
                String.join(", ", row.exits.entrySet().stream().map(e -> e.getKey() + " x " + e.getValue()).toList()),
                row.faults.size()));
        System.out.printf("%nSeed %d.%n", seed);
        rows.forEach((key, row) -> row.faults.forEach(fault -> System.out.println("\n- " + key + ": " + fault)));
        return rows.values().stream().allMatch(row -> row.faults.isEmpty());
    }

    /** A Place is a folder with the service, its scripts, and what they change. */
    private final class Place implements AutoCloseable {
        private final Path folder = Files.createTempDirectory("kiln-undone-");
        private final String mark = UUID.randomUUID().toString();
        private final int port = port();

        Place() throws IOException {
            for (String name : List.of("results", "state", "tmp", "conf.d")) {
                Files.createDirectory(folder.resolve(name));
            }
            Files.writeString(folder.resolve("deployed"), BEFORE);
            script("start.sh", """
                    set -e
                    ./stop.sh
                    echo "restart" >> book
                    nohup %s -XX:TieredStopAtLevel=1 -Dtag="$TAG" %s %d > service.log 2>&1 &
                    echo $! > service.pid
                    """.formatted(java(), root.resolve("bench/kills/Target.java"), port));
            script("stop.sh", """
                    [ -f service.pid ] || exit 0
                    pid=$(cat service.pid); kill -9 $pid 2>/dev/null
                    while [ -e /proc/$pid/exe ]; do sleep 0.05; done
                    rm -f service.pid
                    """);
            script("do.sh", """
                    case "$1" in
                      prepare) touch prepared ;;
                      cleanup) rm -f prepared ;;
                      override) echo limits: 1g > conf.d/override ;;
                      override-off) rm -f conf.d/override ;;
                      patch) echo limits: 2g > deployed ;;
                      patch-off) echo limits: 512m > deployed ;;
                    esac
                    echo "$1" >> book
                    """);
            Files.writeString(folder.resolve("undone.yaml"), """
                    name: undone
                    prepare: ./do.sh prepare
                    cleanup: ./do.sh cleanup
                    target: {attach: 'port:%d', restart: ./start.sh, stop: ./stop.sh}
                    variants:
                      environment: {environment: {TAG: tagged}}
                      override: {beforeRun: ./do.sh override, afterRun: ./do.sh override-off}
                      patch: {beforeRun: ./do.sh patch, afterRun: ./do.sh patch-off}
                    load: {url: 'http://localhost:${port}/', connections: 4}
                    protocol: load=2s,pause=1s,load=1s
                    runs: 1
                    """.formatted(port));
        }

        private void script(String name, String text) throws IOException {
            Path file = Files.writeString(folder.resolve(name), "#!/bin/sh\n" + text);
            file.toFile().setExecutable(true);
        }

        private Process start(String... arguments) throws IOException {
            List<String> command = new ArrayList<>(List.of(
                    "env", "--default-signal=INT", java(),
                    "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED",
                    "-Djava.io.tmpdir=" + folder.resolve("tmp"),
                    "-Dkiln.driver.warmUpSeconds=1", "-Dkiln.root=" + root));
            command.addAll(kilnWords);
            command.addAll(List.of(arguments));
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("said").toFile()));
            builder.environment().put("XDG_STATE_HOME", folder.resolve("state").toString());
            builder.environment().put(MARK, mark);
            return builder.start();
        }

        void kill(String signal) throws Exception {
            Process kiln = start("run", "undone.yaml", "--results", folder.resolve("results").toString());
            int commands = random.nextInt(MOST_COMMANDS + 1);
            int behind = random.nextInt(BEHIND_MILLIS);
            while (kiln.isAlive() && commands() < commands) {
                Thread.sleep(20);
            }
            Thread.sleep(behind);
            boolean alive = kiln.isAlive();
            List<String> owed = left(false);
            new ProcessBuilder("kill", "-" + signal, Long.toString(kiln.pid())).start().waitFor();
            Row row = rows.computeIfAbsent(
                    signal + " | " + (owed.isEmpty() ? alive ? "nothing yet" : "nothing any more" : String.join(", ", owed)),
                    key -> new Row());
            row.kills++;
            if (!kiln.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                row.faults.add("Kiln hung: " + said());
                kiln.destroyForcibly().waitFor();
            }
            row.exits.merge(Integer.toString(kiln.exitValue()), 1, Integer::sum);
            if (alive && kiln.exitValue() != (signal.equals("KILL") ? 137 : 130)) {
                row.faults.add("exit code " + kiln.exitValue() + ": " + said());
            }
            if (signal.equals("KILL")) {
                start("startup", "--pairs", "2", "--discard", "0", "--results", folder.resolve("next").toString(), "true", "true")
                        .waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
            }
            List<String> left = left(true);
            for (int i = 0; i < 50 && !left.isEmpty(); i++) {
                Thread.sleep(100);
                left = left(true);
            }
            if (!left.isEmpty()) {
                row.faults.add("left: " + left + "; " + said());
            }
        }

        private int commands() throws IOException {
            Path book = folder.resolve("book");
            return Files.exists(book) ? Files.readAllLines(book).size() : 0;
        }

        /** What is not as it was before. */
        private List<String> left(boolean whole) throws IOException {
            List<String> left = new ArrayList<>();
            if (!Files.readString(folder.resolve("deployed")).equals(BEFORE)) {
                left.add("the patch");
            }
            if (Files.exists(folder.resolve("conf.d/override"))) {
                left.add("the override");
            }
            if (Files.exists(folder.resolve("prepared"))) {
                left.add("what was prepared");
            }
            if (processes().stream().anyMatch(process -> process.contains("Target.java"))) {
                left.add(service());
            }
            if (whole) {
                left.addAll(processes());
                try (Stream<Path> tmp = Files.list(folder.resolve("tmp"));
                        Stream<Path> state = Files.walk(folder.resolve("state"))) {
                    Stream.concat(tmp, state.filter(Files::isRegularFile)).map(Path::toString).forEach(left::add);
                }
            }
            return left;
        }

        /** The service, with the variable that a variant gives it. */
        private String service() {
            return processes().stream().anyMatch(process -> process.contains("-Dtag=tagged"))
                    ? "a service with the variable"
                    : "a service";
        }

        /** Living processes with the mark, as "pid command". */
        private List<String> processes() {
            return ProcessHandle.allProcesses()
                    .map(ProcessHandle::pid)
                    .filter(pid -> text(pid, "environ").contains(MARK + "=" + mark))
                    .filter(pid -> !text(pid, "stat").matches("(?s).*\\) [ZX] .*"))
                    .map(pid -> pid + " " + text(pid, "cmdline").replace('\0', ' '))
                    .toList();
        }

        private String said() throws IOException {
            List<String> lines = Files.readAllLines(folder.resolve("said"));
            return String.join(" / ", lines.subList(Math.max(0, lines.size() - 3), lines.size()));
        }

        @Override
        public void close() throws IOException {
            for (String process : processes()) {
                ProcessHandle.of(Long.parseLong(process.substring(0, process.indexOf(' '))))
                        .ifPresent(ProcessHandle::destroyForcibly);
            }
            try (Stream<Path> all = Files.walk(folder)) {
                for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(path);
                }
            }
        }
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    private static int port() throws IOException {
        try (var socket = new java.net.ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static String text(long pid, String file) {
        try {
            return Files.readString(Path.of("/proc/" + pid, file), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }
}
