import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** LabelledTables say how Kiln and others agree with labels, as Markdown. */
final class LabelledTables {
    private static final List<String> KINDS =
            List.of("steady from its first iteration", "warm-up", "slowdown", "no steady state");

    /** Seconds by which a point may lie beside a start and count as there. */
    private static final double BIN = 1;

    static void print(List<Labelled.Judged> all, double far) {
        System.out.printf(Locale.ROOT, "%,d forks. What Kiln says of each class, in percent:%n%n", all.size());
        verdicts(all);
        System.out.println();
        System.out.println("Verdicts against labels:");
        System.out.println();
        confusion(all);
        System.out.println();
        System.out.println("When the warm-up was over, against the start of the steady state (forks that have rivals' points):");
        System.out.println();
        starts(all);
        List<Labelled.Judged> both =
                all.stream().filter(one -> one.steady() && one.peaked()).toList();
        System.out.printf(
                Locale.ROOT,
                "%nOf %,d forks that are steady and peaked, the start lies in the interval of T99, or within %.0f s of it, in"
                        + " %s %%; more than %.0f s outside in %s %%.%n",
                both.size(),
                BIN,
                share(both.stream().filter(one -> one.away() <= BIN).count(), both.size()),
                far,
                share(both.stream().filter(one -> one.away() > far).count(), both.size()));
    }

    private static void verdicts(List<Labelled.Judged> all) {
        List<String> said = all.stream()
                .map(Labelled.Judged::verdict)
                .collect(Collectors.groupingBy(word -> word, Collectors.counting()))
                .entrySet()
                .stream()
                .sorted((a, b) -> Long.compare(b.getValue(), a.getValue()))
                .map(Map.Entry::getKey)
                .toList();
        System.out.println("| the fork | its benchmark | forks | " + String.join(" | ", said) + " |");
        System.out.println("|---|---|--:|" + "--:|".repeat(said.size()));
        for (String kind : KINDS) {
            for (String benchmark : List.of("steady state", "inconsistent", "no steady state")) {
                List<Labelled.Judged> of = all.stream()
                        .filter(one -> one.kind().equals(kind) && one.ofBenchmark().equals(benchmark))
                        .toList();
                if (!of.isEmpty()) {
                    row("| " + kind + " | " + benchmark, of, said);
                }
            }
        }
        row("| **all** |", all, said);
    }

    private static void row(String name, List<Labelled.Judged> of, List<String> said) {
        StringBuilder row = new StringBuilder(name + " | " + of.size() + " |");
        for (String word : said) {
            long count = of.stream().filter(one -> one.verdict().equals(word)).count();
            row.append(' ').append(share(count, of.size())).append(" |");
        }
        System.out.println(row);
    }

    private static void confusion(List<Labelled.Judged> all) {
        System.out.println("| label | forks | peaked | another word | no verdict | agree % | of those with a word % |");
        System.out.println("|---|--:|--:|--:|--:|--:|--:|");
        for (String kind : KINDS) {
            List<Labelled.Judged> of =
                    all.stream().filter(one -> one.kind().equals(kind)).toList();
            long peaked = of.stream().filter(Labelled.Judged::peaked).count();
            long concluded = of.stream().filter(Labelled.Judged::concluded).count();
            long agree = of.stream()
                    .filter(one -> one.concluded() && !one.contradicts())
                    .count();
            System.out.printf(
                    Locale.ROOT,
                    "| %s | %d | %d | %d | %d | %s | %s |%n",
                    kind,
                    of.size(),
                    peaked,
                    concluded - peaked,
                    of.size() - concluded,
                    share(agree, of.size()),
                    share(agree, concluded));
        }
    }

    private static void starts(List<Labelled.Judged> all) {
        System.out.println("| the fork | who | forks | no answer % | early % | within 1 s % | late % | median away s |"
                + " mean away s | level after it % |");
        System.out.println("|---|---|--:|--:|--:|--:|--:|--:|--:|--:|");
        List<String> who = new ArrayList<>(List.of("label", "T90", "T95", "T99"));
        who.addAll(LabelledFork.rivals());
        for (String kind : KINDS.subList(0, 3)) {
            List<Labelled.Judged> of = all.stream()
                    .filter(one -> one.kind().equals(kind) && one.points().containsKey("CoV"))
                    .toList();
            who.forEach(name -> starts(kind, name, of));
        }
    }

    private static void starts(String kind, String who, List<Labelled.Judged> of) {
        List<Double> all = new ArrayList<>();
        long level = 0;
        for (Labelled.Judged one : of) {
            Labelled.Point at = one.points().get(who);
            if (at != null) {
                all.add(at.seconds() - one.points().get("label").seconds());
                level += at.level() ? 1 : 0;
            }
        }
        double[] sizes = all.stream().mapToDouble(Math::abs).sorted().toArray();
        System.out.printf(
                Locale.ROOT,
                "| %s | %s | %d | %s | %s | %s | %s | %s | %s | %s |%n",
                kind,
                who,
                of.size(),
                share(of.size() - all.size(), of.size()),
                share(all.stream().filter(by -> by < -BIN).count(), all.size()),
                share(all.stream().filter(by -> Math.abs(by) <= BIN).count(), all.size()),
                share(all.stream().filter(by -> by > BIN).count(), all.size()),
                sizes.length == 0 ? "-" : String.format(Locale.ROOT, "%.1f", sizes[sizes.length / 2]),
                sizes.length == 0 ? "-" : String.format(Locale.ROOT, "%.1f", Arrays.stream(sizes).average().orElseThrow()),
                share(level, all.size()));
    }

    private static String share(long part, long of) {
        return of == 0 ? "-" : String.format(Locale.ROOT, "%.1f", 100.0 * part / of);
    }
}
