package dev.kiln.report.json;

import dev.kiln.model.run.Summary.VariantSummary;
import dev.kiln.report.JsonOut;
import dev.kiln.report.Listed;
import java.io.StringWriter;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** A list of experiments for programs. */
public final class ListedJson {
    private final JsonOut out;

    private ListedJson(JsonOut out) {
        this.out = out;
    }

    public static String render(List<Listed> all) {
        StringWriter text = new StringWriter();
        JsonOut.write(text, out -> out.objects(all, new ListedJson(out)::experiment));
        return text.toString();
    }

    private void experiment(Listed one) {
        out.text("name", one.name());
        out.text("folder", one.id());
        out.text("kind", one.kind().text());
        out.text("started", instant(one.startedMillis()));
        out.text("state", one.state().text());
        out.text("host", one.host());
        out.objects("variants", one.variants(), this::variant);
        out.texts("verdicts", one.verdicts());
        out.text("conclusion", one.conclusion());
        out.text("problem", one.problem());
    }

    private static Optional<String> instant(OptionalLong millis) {
        return millis.isPresent()
                ? Optional.of(Instant.ofEpochMilli(millis.getAsLong()).toString())
                : Optional.empty();
    }

    private void variant(VariantSummary variant) {
        out.text("name", variant.name());
        out.text("jdk", variant.jdk());
        out.integer("runs", variant.runs().size());
        out.integer("valid", variant.runs().stream().filter(run -> run.valid()).count());
        out.text("verdict", variant.verdict());
        out.number("peak", variant.peak(), 2);
        out.flag("peakAtLeast", variant.peakAtLeast());
        out.text("t90", variant.t90());
    }
}
