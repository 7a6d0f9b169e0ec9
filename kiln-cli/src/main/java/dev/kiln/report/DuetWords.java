package dev.kiln.report;

import dev.kiln.compare.DuetComparison;
import dev.kiln.stats.Estimate;
import dev.kiln.text.Show;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** DuetWords say what two variants served in the same seconds. */
public final class DuetWords {
    public static final List<String> HEADS = List.of("Block", "Half of the first", "Seconds", "Ratio");

    private static final int DECIMALS = 4;

    private DuetWords() {}

    /** Returns the answer as a paragraph, and why blocks are left out. */
    public static String terminal(DuetComparison duet, TerminalStyle style) {
        return "\n" + style.paragraph(sentence(duet))
                + duet.leftOut().stream()
                        .map(line -> style.paragraph("  ", line, style::dim))
                        .collect(Collectors.joining());
    }

    /** Returns the answer in a sentence. Only an interval says that there is a difference. */
    public static String sentence(DuetComparison duet) {
        String from = String.format(
                Locale.ROOT,
                "%.0f seconds of %s in which both were at a level",
                duet.seconds(),
                Show.plural(duet.blocks().size(), "block"));
        if (duet.ratio().isEmpty()) {
            return "At once: " + (duet.blocks().isEmpty() ? "no second" : from)
                    + ", too few to compare " + duet.second() + " with " + duet.first() + ": it takes "
                    + DuetComparison.LEAST_OF_A_HALF + " blocks with either half of the CPUs";
        }
        Estimate ratio = duet.ratio().get();
        String shown = ratio.above(1) || ratio.below(1)
                ? String.format(
                        Locale.ROOT,
                        "%s served %.1f %% %s than %s in the same seconds",
                        duet.second(),
                        100 * Math.abs(ratio.value() - 1),
                        ratio.above(1) ? "more" : "less",
                        duet.first())
                : "no difference shown between what " + duet.second() + " and " + duet.first()
                        + " served in the same seconds";
        return String.format(
                Locale.ROOT,
                "At once: %s (ratio %.3f, %.0f %% interval %.3f to %.3f; %s)",
                shown,
                ratio.value(),
                100 * duet.confidence(),
                ratio.lo(),
                ratio.hi(),
                from);
    }

    /** Returns a row for each block, of the columns {@link #HEADS}. */
    public static List<List<String>> rows(DuetComparison duet) {
        return duet.blocks().stream()
                .map(block -> List.of(
                        Integer.toString(block.block()),
                        Integer.toString(block.half()),
                        String.format(Locale.ROOT, "%.0f", block.seconds()),
                        String.format(Locale.ROOT, "%.3f", block.ratio())))
                .toList();
    }

    /** Writes the fields of {@code duet} in {@code result.json}. */
    public static void json(JsonOut out, DuetComparison duet) {
        out.text("first", duet.first());
        out.text("second", duet.second());
        out.object("ratio", duet.ratio(), ratio -> {
            out.number("value", ratio.value(), DECIMALS);
            out.number("lo", ratio.lo(), DECIMALS);
            out.number("hi", ratio.hi(), DECIMALS);
            out.number("confidence", duet.confidence(), DECIMALS);
        });
        out.objects("blocks", duet.blocks(), block -> {
            out.integer("block", block.block());
            out.integer("half", block.half());
            out.number("seconds", block.seconds(), DECIMALS);
            out.number("ratio", block.ratio(), DECIMALS);
        });
        out.texts("leftOut", duet.leftOut());
    }
}
