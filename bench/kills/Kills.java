import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Kills at random moments, and looks at what is left. Arguments: Kiln's folder, the number of kills, a seed.
 */
public class Kills {
    /** Rows reach the file within a second. */
    private static final double MOST_LOST_SECONDS = 1.5;

    /** The first load of the protocol below, in seconds. */
    private static final double LOAD_SECONDS = 3;

    /** The findings of one kind of kill. */
    static final class Row {
        int kills;
        final Map<String, Integer> exits = new TreeMap<>();
        int left;
        int unreadable;
        int underLoad;
        double mostLost;
        final List<String> faults = new ArrayList<>();
    }

    private final Path root;
    private final Path program;
    private final Random random;
    private final Map<KillCase, Row> rows = new TreeMap<>();

    Kills(Path root, long seed) {
        this.root = root;
        this.program = Path.of(System.getProperty("java.home"), "bin", "java");
        this.random = new Random(seed);
    }

    public static void main(String[] args) throws Exception {
        int kills = Integer.parseInt(args[1]);
        long seed = Long.parseLong(args[2]);
        Kills all = new Kills(Path.of(args[0]), seed);
        for (int i = 0; i < kills; i++) {
            KillCase which = KillCase.values()[i % KillCase.values().length];
            System.err.printf("%d/%d %s%n", i + 1, kills, which);
            all.one(which);
        }
        System.exit(all.print(seed) ? 0 : 1);
    }

    private void one(KillCase which) throws Exception {
        Row row = rows.computeIfAbsent(which, w -> new Row());
        try (Place place = new Place(which)) {
            row.kills++;
            if (which.doctor()) {
                place.doctor(row);
            } else {
                place.run(row);
            }
        }
    }

    private boolean print(long seed) {
        System.out.println("| killed | signal | kills | exit codes | left behind | unreadable | in the first load | most lost |");
        System.out.println("|---|---|--:|---|--:|--:|--:|--:|");
        boolean fine = true;
        int kills = 0;
        for (Map.Entry<KillCase, Row> entry : rows.entrySet()) {
            Row row = entry.getValue();
            kills += row.kills;
            StringBuilder exits = new StringBuilder();
            row.exits.forEach((exit, n) -> exits.append(exits.isEmpty() ? "" : ", ").append(exit + " x " + n));
            System.out.printf(
                    "| %s | %s | %d | %s | %d | %d | %d | %s |%n",
                    entry.getKey().victim, entry.getKey().signal, row.kills, exits, row.left, row.unreadable, row.underLoad,
                    row.underLoad == 0 ? "-" : "%.1f s".formatted(row.mostLost));
            fine &= row.faults.isEmpty();
        }
        System.out.printf("%n%d kills, seed %d.%n", kills, seed);
        rows.forEach((which, row) -> row.faults.forEach(fault -> System.out.println("- " + which + ": " + fault)));
        return fine;
    }

    /** Where one kill happens. */
    final class Place extends KillPlace {
        private final KillCase which;
        private final long bornMillis = System.currentTimeMillis();

        Place(KillCase which) throws IOException {
            super(root, List.of("-jar", root.resolve("kiln-cli/target/kiln.jar").toString()), "bin", "box");
            this.which = which;
            for (Path each : List.of(folder, folder.resolve("tmp"))) {
                Files.setPosixFilePermissions(each, java.nio.file.attribute.PosixFilePermissions.fromString("rwxr-xr-x"));
            }
            script("bin/ssh", """
                    export XDG_CACHE_HOME=%3$s XDG_STATE_HOME=%1$s/state TMPDIR=%1$s/tmp KILN_JAVA_HOME=%2$s
                    [ "$1" != -G ] || { echo 'hostname localhost'; exit 0; }
                    while [ "$1" != -- ]; do shift; done
                    shift 2
                    sh -c "$*"
                    """.formatted(folder, System.getProperty("java.home"), agents()));
        }

        @Override
        Map<String, String> environment() {
            return Map.of("PATH", folder.resolve("bin") + ":" + System.getenv("PATH"));
        }

        void run(Row row) throws Exception {
            Process kiln = start("run", experiment().toString(), "--results", folder.resolve("results").toString());
            long victim = kiln.pid();
            if (!which.part.isEmpty()) {
                victim = await(which.part, kiln);
            }
            Thread.sleep(random.nextInt(which.part.isEmpty() ? 12_000 : 3_000));
            boolean alive = victim > 0 && ProcessHandle.of(victim).isPresent() && kiln.isAlive();
            long killedMillis = System.currentTimeMillis();
            if (alive) {
                kill(victim, which.signal);
            }
            judge(row, kiln, alive, killedMillis);
        }

        /** A JVM whose compilers are reniced, by a Kiln that is killed. */
        void doctor(Row row) throws Exception {
            Process jvm = new ProcessBuilder(
                            program.toString(), "-Dkills-target", root.resolve("bench/kills/Target.java").toString(),
                            Integer.toString(port()))
                    .start();
            try {
                Thread.sleep(2_000);
                Process kiln = start("doctor", Long.toString(jvm.pid()), "--fix", "renice", "--fix-for", "60s", "--yes");
                Thread.sleep(1_000 + random.nextInt(4_000));
                boolean alive = kiln.isAlive();
                if (which == KillCase.WATCHDOG_KILL) {
                    kiln.descendants().forEach(ProcessHandle::destroyForcibly);
                }
                kill(kiln.pid(), which.signal);
                judge(row, kiln, alive, System.currentTimeMillis());
                if (favoured(jvm.pid())) {
                    row.left++;
                    row.faults.add("compiler threads kept their priority");
                }
            } finally {
                jvm.destroyForcibly().waitFor();
            }
        }

        private void judge(Row row, Process kiln, boolean killed, long killedMillis) throws Exception {
            int exit = end(kiln, row.faults);
            String code = killed ? Integer.toString(exit) : "(over before) " + exit;
            row.exits.merge(code, 1, Integer::sum);
            if (killed ? !expected(exit) : exit > 1) {
                row.faults.add("exit code " + exit + ": " + said());
            }
            evidence(row, killed, killedMillis);
            if (exit == 137 || which.remote()) {
                next();
            }
            List<String> left = leftAtLast();
            if (!left.isEmpty()) {
                row.left++;
                row.faults.add("left: " + left);
            }
        }

        private boolean expected(int exit) {
            if (which.part.isEmpty()) {
                return switch (which.signal) {
                    case "KILL" -> exit == 137;
                    case "INT" -> exit == 130 || which.doctor() && exit <= 8;
                    default -> exit == 143;
                };
            }
            // A part was killed: the run failed, or this machine did, or the run was over.
            return which == KillCase.WATCHDOG_KILL ? exit == 137 : exit == 0 || exit == 1 || exit == 3;
        }

        private void evidence(Row row, boolean killed, long killedMillis) throws Exception {
            Path run;
            try (Stream<Path> all = Files.walk(folder.resolve("results"))) {
                run = all.filter(path -> path.endsWith("run.json")).findFirst().orElse(null);
            }
            if (run == null) {
                return;
            }
            Process report = start("report", folder.resolve("results").toString());
            if (!isOver(report) || report.exitValue() > 1) {
                row.unreadable++;
                row.faults.add("kiln report: " + said());
            }
            String info = Files.readString(run);
            Path load = run.resolveSibling("load.csv");
            Matcher launch = Pattern.compile("\"launchEpochMillis\" : (\\d+)").matcher(info);
            if (!killed || !which.victim.startsWith("Kiln") || !Files.exists(load) || !launch.find()) {
                return;
            }
            List<String> lines = Files.readAllLines(load);
            if (lines.size() > 1) {
                double killedAt = (killedMillis - Long.parseLong(launch.group(1))) / 1e3;
                double began = Long.parseLong(lines.get(1).split(",", -1)[1]) / 1e9;
                double lost = killedAt - Long.parseLong(lines.getLast().split(",", -1)[2]) / 1e9;
                if (killedAt > began + LOAD_SECONDS) {
                    return;
                }
                row.underLoad++;
                row.mostLost = Math.max(row.mostLost, lost);
                if (lost > MOST_LOST_SECONDS) {
                    row.faults.add("%.1f s of load were lost".formatted(lost));
                }
            }
        }

        private Path experiment() throws IOException {
            String plain = program + " -Dkills-target " + root.resolve("bench/kills/Target.java") + " ${port}";
            String command = switch (which) {
                case KILN_KILL_SHELL -> "[sh, -c, '" + plain + "; true']";
                case KILN_KILL_DAEMON -> "[sh, -c, 'setsid " + plain + " & sleep 1000']";
                default -> "['" + plain.replace(" ", "', '") + "']";
            };
            return Files.writeString(folder.resolve("kills.yaml"), """
                    name: kills
                    target:
                      command: %s
                    %s
                    load:
                      url: http://${host}:${port}/
                      connections: 4
                    protocol: load=%ds,pause=1s,load=2s
                    runs: 1
                    repeat: false
                    %s
                    """.formatted(
                            command,
                            which.remote() ? "  host: box" : "",
                            Math.round(LOAD_SECONDS),
                            which.remote() ? "" : "database: postgres"));
        }

        private long await(String part, Process kiln) throws Exception {
            while (kiln.isAlive()) {
                for (String process : processes()) {
                    if (process.contains(part)) {
                        return Long.parseLong(process.substring(0, process.indexOf(' ')));
                    }
                }
                Thread.sleep(20);
            }
            return -1;
        }

        /** Also what is a cgroup. */
        @Override
        List<String> left() throws IOException {
            List<String> left = super.left();
            Path cgroups = Path.of("/sys/fs/cgroup");
            if (Files.isDirectory(cgroups)) {
                try (Stream<Path> all = Files.find(cgroups, 4, (path, is) -> path.getFileName().toString().startsWith("kiln-")
                        && is.isDirectory() && is.lastModifiedTime().toMillis() >= bornMillis)) {
                    all.forEach(path -> left.add(path.toString()));
                } catch (UncheckedIOException e) {
                    // A cgroup of somebody else's that has just gone.
                }
            }
            return left;
        }

    }

    private static boolean favoured(long pid) throws IOException {
        try (Stream<Path> tasks = Files.list(Path.of("/proc/" + pid + "/task"))) {
            return tasks.anyMatch(task -> {
                String stat = KillPlace.text(pid, "task/" + task.getFileName() + "/stat");
                String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", 20);
                return fields.length > 17 && Integer.parseInt(fields[16]) < 0;
            });
        }
    }
}
