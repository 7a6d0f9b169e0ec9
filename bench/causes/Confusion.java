import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The tables of RESULTS.md, and whether all is within its bounds. */
final class Confusion {
    private static final double MOST_WRONG = 0.02;
    private static final double LEAST_RIGHT = 0.85;
    private static final double LEAST_RIGHT_RECORDED = 0.95;
    private static final double LEAST_HEALTHY = 0.98;
    private static final double MOST_OFF = 0.05;

    private Confusion() {}

    /** Returns whether all bounds are kept. */
    static boolean print(List<Outcome> outcomes) {
        List<Outcome> told = outcomes.stream().filter(one -> one.told().isPresent()).toList();
        System.out.println("| planted | run | verdict | told first | all confirmed | expected | right |");
        System.out.println("|---|---|---|---|---|---|---|");
        outcomes.forEach(Confusion::row);
        matrix(told);
        budgets(told);
        unknown(told);
        List<Outcome> possible = outcomes.stream().filter(one -> !one.impossible()).toList();
        List<Outcome> faults = possible.stream().filter(one -> !one.kind().healthy()).toList();
        System.out.println("\n| | share | runs | bound |\n|---|--:|--:|--:|");
        boolean fine = bound("a wrong cause confirmed", told, one -> !one.wrong().isEmpty(), MOST_WRONG, true);
        fine &= bound("right one first", without(faults, false), Outcome::right, LEAST_RIGHT, false);
        fine &= bound("right one first, recorded", without(faults, true), Outcome::right, LEAST_RIGHT_RECORDED, false);
        List<Outcome> healthy = possible.stream()
                .filter(one -> one.kind().healthy() && !one.spoiled())
                .toList();
        fine &= bound("healthy, no cause", healthy, Outcome::right, LEAST_HEALTHY, false);
        System.out.printf(
                "%n%d runs: %d this machine cannot do, %d others without a result, which are not right, and %d healthy ones that"
                        + " were invalid, which do not count.%n",
                outcomes.size(),
                outcomes.size() - possible.size(),
                possible.size() - told.size(),
                told.stream().filter(Outcome::spoiled).count());
        return fine;
    }

    private static List<Outcome> without(List<Outcome> all, boolean recorded) {
        return all.stream().filter(one -> one.recorded() == recorded).toList();
    }

    private static void row(Outcome one) {
        String run = "JDK " + one.jdk() + ", " + one.how();
        String expected = one.expected();
        if (one.told().isEmpty()) {
            System.out.printf(
                    "| %s | %s | no result | | | %s | %s |%n",
                    one.kind().name(), run, expected, one.impossible() ? "impossible here" : "no");
            return;
        }
        Told told = one.told().get();
        String first = told.first().orElse("nothing") + (told.heldBack().isEmpty() && !told.held().isEmpty() ? " (present)" : "");
        System.out.printf(
                "| %s | %s | %s | %s | %s | %s | %s |%n",
                one.kind().name(), run, told.verdict(), first, String.join(", ", told.held()), expected,
                one.right() ? "yes" : "no");
    }

    /** Planted, by what is expected first, against what was told first. */
    private static void matrix(List<Outcome> told) {
        Map<String, Map<String, Integer>> cells = new TreeMap<>();
        told.forEach(one -> cells.computeIfAbsent(
                        one.belowLimit() ? one.expected() : one.kind().expected().getFirst(), planted -> new TreeMap<>())
                .merge(one.told().flatMap(Told::first).orElse("nothing"), 1, Integer::sum));
        System.out.println("\n| planted | told first, and in how many runs |\n|---|---|");
        cells.forEach((planted, names) -> System.out.printf(
                "| %s | %s |%n",
                planted,
                names.entrySet().stream()
                        .map(cell -> cell.getKey() + " " + cell.getValue())
                        .collect(Collectors.joining(", "))));
    }

    /** The fixture's account against Kiln's, in ms a request at the end of the first load. */
    private static void budgets(List<Outcome> told) {
        System.out.println("\n| run | response | Kiln's | CPU | Kiln's | blocked | Kiln's | off by |");
        System.out.println("|---|--:|--:|--:|--:|--:|--:|--:|");
        List<Double> off = new ArrayList<>();
        for (Outcome one : told) {
            Optional<Told.Budget> budget = one.told().flatMap(Told::budget);
            if (one.account().isEmpty() || one.told().filter(Told::invalid).isPresent()) {
                continue;
            }
            Account own = one.account().get();
            Optional<Double> most = budget.map(kiln -> off(own, kiln));
            most.ifPresent(off::add);
            System.out.printf(
                    Locale.ROOT,
                    "| %s, JDK %d, %s | %.3f | %s | %.3f | %s | %.3f | %s | %s |%n",
                    one.kind().name(), one.jdk(), one.how(), own.response(), millis(budget.map(Told.Budget::responseMillis)),
                    own.cpu(), millis(budget.map(kiln -> kiln.of("running", "kernel"))), own.blocked(),
                    millis(budget.map(kiln -> kiln.of("blocked"))),
                    most.map(share -> String.format(Locale.ROOT, "%.1f %%", 100 * share)).orElse("-"));
        }
        long within = off.stream().filter(share -> share <= MOST_OFF).count();
        System.out.printf("%n%d of %d budgets are within %.0f %% of the response time.%n", within, off.size(), 100 * MOST_OFF);
    }

    /**
     * The largest difference of a part, as a share of the response time that clients see, to which Kiln's parts sum: a fixture that
     * answers in 0.1 ms has requests that wait 2 ms for its thread. Virtual threads have no CPU time of their own.
     */
    private static double off(Account own, Told.Budget kiln) {
        double cpu = own.cpu() > 0 ? Math.abs(own.cpu() - kiln.of("running", "kernel")) : 0;
        return Math.max(cpu, Math.abs(own.blocked() - kiln.of("blocked"))) / kiln.responseMillis();
    }

    private static String millis(Optional<Double> value) {
        return value.map(known -> String.format(Locale.ROOT, "%.3f", known)).orElse("-");
    }

    /** Ids that are expected and that this Kiln does not look for. */
    private static void unknown(List<Outcome> told) {
        TreeSet<String> missing = new TreeSet<>();
        told.forEach(one -> one.kind().expected().stream()
                .filter(id -> !id.equals(Kind.HEALTHY) && !id.startsWith(Kind.UNNAMED))
                .filter(id -> !one.told().orElseThrow().known().contains(id))
                .forEach(missing::add));
        if (!missing.isEmpty()) {
            System.out.println("\nExpected, and not looked for by this Kiln: " + String.join(", ", missing) + ".");
        }
    }

    private static boolean bound(
            String what, List<Outcome> of, Predicate<Outcome> is, double bound, boolean most) {
        if (of.isEmpty()) {
            return true;
        }
        double share = (double) of.stream().filter(is).count() / of.size();
        System.out.printf(
                Locale.ROOT, "| %s | %.1f %% | %d | %s %.0f %% |%n",
                what, 100 * share, of.size(), most ? "at most" : "at least", 100 * bound);
        return most ? share <= bound : share >= bound;
    }
}
