import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * Kills Kiln at drawn moments of runs whose service a script starts anew, and looks whether all is undone that its commands
 * did. Arguments: Kiln's folder, the number of kills, a seed, and what java is given to run Kiln.
 *
 * <p>The scripts keep a book of the commands. A kill comes up to three seconds after a drawn number of them, so on a slow
 * machine too it meets all that there is to undo.
 */
public class Undone {
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
    private final class Place extends KillPlace {
        private final int port = port();

        Place() throws IOException {
            super(root, kilnWords, "conf.d");
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

        void kill(String signal) throws Exception {
            Process kiln = start("run", "undone.yaml", "--results", folder.resolve("results").toString());
            int commands = random.nextInt(MOST_COMMANDS + 1);
            int behind = random.nextInt(BEHIND_MILLIS);
            while (kiln.isAlive() && commands() < commands) {
                Thread.sleep(20);
            }
            Thread.sleep(behind);
            boolean alive = kiln.isAlive();
            List<String> owed = changed();
            kill(kiln.pid(), signal);
            Row row = rows.computeIfAbsent(
                    signal + " | " + (owed.isEmpty() ? alive ? "nothing yet" : "nothing any more" : String.join(", ", owed)),
                    key -> new Row());
            row.kills++;
            int exit = end(kiln, row.faults);
            row.exits.merge(Integer.toString(exit), 1, Integer::sum);
            if (alive && exit != (signal.equals("KILL") ? 137 : 130)) {
                row.faults.add("exit code " + exit + ": " + said());
            }
            if (signal.equals("KILL")) {
                next();
            }
            List<String> left = leftAtLast();
            if (!left.isEmpty()) {
                row.faults.add("left: " + left + "; " + said());
            }
        }

        private int commands() throws IOException {
            Path book = folder.resolve("book");
            return Files.exists(book) ? Files.readAllLines(book).size() : 0;
        }

        /** What is not as it was before. */
        private List<String> changed() throws IOException {
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
            return left;
        }

        @Override
        List<String> left() throws IOException {
            List<String> left = changed();
            left.addAll(super.left());
            return left;
        }

        /** The service, with the variable that a variant gives it. */
        private String service() {
            return processes().stream().anyMatch(process -> process.contains("-Dtag=tagged"))
                    ? "a service with the variable"
                    : "a service";
        }

    }
}
