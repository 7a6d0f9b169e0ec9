import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * Kills Kiln at drawn moments of runs whose service a script or a rollout of a deployment starts anew, and looks whether all is undone
 * that its commands did. Arguments: Kiln's folder, the number of kills, a seed, and what java is given to run Kiln.
 *
 * <p>The scripts keep a book of the commands. A kill comes up to three seconds after a drawn number of them, so on a slow
 * machine too it meets all that there is to undo.
 */
public class Undone {
    /** An experiment comes to about so many commands: two for all, and one to three for each variant. */
    private static final int MOST_COMMANDS = 9;

    private static final int BEHIND_MILLIS = 3_000;

    /** What a shell calls the end by each signal. */
    private static final Map<String, Integer> EXITS = Map.of("INT", 130, "TERM", 143, "KILL", 137);

    private static final List<String> SIGNALS = List.of("INT", "KILL", "TERM", "KILL");

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
            String signal = SIGNALS.get(i / 2 % SIGNALS.size());
            boolean scripted = i % 2 == 0;
            System.err.printf("%d/%d %s %s%n", i + 1, kills, scripted ? "scripts" : "deployment", signal);
            try (UndonePlace place =
                    scripted ? new Scripted(all.root, all.kilnWords) : new Deployment(all.root, all.kilnWords)) {
                all.kill(place, scripted ? "scripts" : "deployment", signal);
            }
        }
        System.exit(all.print(seed) ? 0 : 1);
    }

    private boolean print(long seed) {
        System.out.println("| service | signal | what there was to undo | kills | exit codes | left |");
        System.out.println("|---|---|---|--:|---|--:|");
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

    /** Kills Kiln at a drawn moment, and looks whether all is undone: at once, or by the next Kiln after a KILL. */
    private void kill(UndonePlace place, String what, String signal) throws Exception {
        Process kiln = place.start("run", "undone.yaml", "--results", place.folder.resolve("results").toString());
        int commands = random.nextInt(MOST_COMMANDS + 1);
        int behind = random.nextInt(BEHIND_MILLIS);
        while (kiln.isAlive() && place.commands() < commands) {
            Thread.sleep(20);
        }
        Thread.sleep(behind);
        boolean alive = kiln.isAlive();
        List<String> owed = place.changed();
        KillPlace.kill(kiln.pid(), signal);
        Row row = rows.computeIfAbsent(
                what + " | " + signal + " | "
                        + (owed.isEmpty() ? alive ? "nothing yet" : "nothing any more" : String.join(", ", owed)),
                key -> new Row());
        row.kills++;
        int exit = place.end(kiln, row.faults);
        row.exits.merge(Integer.toString(exit), 1, Integer::sum);
        if (alive && exit != EXITS.get(signal)) {
            row.faults.add("exit code " + exit + ": " + place.said());
        }
        if (signal.equals("KILL")) {
            place.next();
        }
        List<String> left = place.leftAtLast();
        if (!left.isEmpty()) {
            row.faults.add("left: " + left + "; " + place.said());
        }
    }
}
