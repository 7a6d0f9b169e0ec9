package dev.kiln.report;

import dev.kiln.compare.GateResult;
import dev.kiln.compare.GateResult.GateRow;
import dev.kiln.stats.Gate;
import java.util.List;

/** A gate as JUnit XML, which CI servers show: FAIL is a failure; what could not be decided is an error. */
public final class JUnitXml {
    private JUnitXml() {}

    public static String render(GateResult result) {
        List<GateRow> rows = result.rows();
        long failures =
                rows.stream().filter(row -> row.verdict() == Gate.Verdict.FAIL).count();
        long errors = rows.stream()
                .filter(row ->
                        row.verdict() == Gate.Verdict.UNDER_POWERED || row.verdict() == Gate.Verdict.INCONCLUSIVE)
                .count();
        StringBuilder out = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        out.append("<testsuite name=\"kiln gate: ")
                .append(escape(result.current() + " against " + result.baseline()))
                .append("\" tests=\"")
                .append(rows.size())
                .append("\" failures=\"")
                .append(failures)
                .append("\" errors=\"")
                .append(errors)
                .append("\" skipped=\"0\">\n");
        rows.forEach(row -> out.append(testcase(row)));
        return out.append("</testsuite>\n").toString();
    }

    private static String testcase(GateRow row) {
        String open = "  <testcase classname=\"kiln.gate\" name=\"" + escape(row.label()) + "\"";
        if (row.verdict() == Gate.Verdict.PASS) {
            return open + "/>\n";
        }
        String element = row.verdict() == Gate.Verdict.FAIL ? "failure" : "error";
        return open + ">\n    <" + element + " type=\"" + GateWords.word(row.verdict()) + "\" message=\""
                + escape(message(row)) + "\">" + escape(String.join("\n", row.notes())) + "</" + element
                + ">\n  </testcase>\n";
    }

    private static String message(GateRow row) {
        return "variance " + GateWords.variance(row) + ", tolerance " + GateWords.tolerance(row.tolerance())
                + ", current " + GateWords.figure(row, Gate::current) + ", baseline "
                + GateWords.figure(row, Gate::baseline);
    }

    /** Control characters have no place in XML 1.0, escaped or not. */
    private static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replaceAll("[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f]", "?");
    }
}
