package dev.kiln.report;

import dev.kiln.model.run.Summary.VariantSummary;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A Listed is an experiment in a list of many.
 *
 * @param id its folder, below that of all results, with slashes
 * @param kind of command that measured
 * @param name of the experiment; of a folder that cannot be read, the folder's
 * @param startedMillis wall clock at the first launch; empty where no run could be read
 * @param host CPU model and number of CPUs, in words
 * @param conclusion empty where it was not judged yet
 * @param problem what is wrong with it
 */
public record Listed(
        String id,
        StudyKind kind,
        String name,
        OptionalLong startedMillis,
        StudyState state,
        String host,
        List<VariantSummary> variants,
        String conclusion,
        Optional<String> problem) {
    public Listed {
        variants = List.copyOf(variants);
    }

    /** The StudyKind says which sort of measurement it is; the name of a document in its folder tells. */
    public enum StudyKind {
        EXPERIMENT("experiment", ""),
        SOAK("soak", "soak.json"),
        STARTUP("start-up comparison", "startup.json"),
        /** A search for a cure, whose stages are experiments in its folder. */
        SEARCH("search", "tune.json");

        private final String text;
        private final String file;

        StudyKind(String text, String file) {
            this.text = text;
            this.file = file;
        }

        public String text() {
            return text;
        }

        /** Returns the name of the document that only folders of this kind have; empty for an experiment. */
        public String file() {
            return file;
        }

        /** Tells whether a folder is of this kind; links are not followed. */
        public boolean is(Path folder) {
            return Files.exists(folder.resolve(file), LinkOption.NOFOLLOW_LINKS);
        }
    }

    /** The StudyState says how far the experiment is, and whether it can be read. */
    public enum StudyState {
        FINISHED("finished"),
        /** The runs are over, and were not judged. */
        UNJUDGED("not judged"),
        RUNNING("running"),
        /** The last run has no end, and nothing more is written. */
        BROKEN_OFF("broken off"),
        UNREADABLE("cannot be read");

        private final String text;

        StudyState(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }
    }

    /** Returns the different verdicts of its variants, in their order. */
    public List<String> verdicts() {
        return variants.stream()
                .map(VariantSummary::verdict)
                .filter(verdict -> !verdict.isEmpty())
                .distinct()
                .toList();
    }

    /** ListedJson is a list of experiments for programs. */
    public record ListedJson(JsonOut out) {
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
            out.integer(
                    "valid", variant.runs().stream().filter(run -> run.valid()).count());
            out.text("verdict", variant.verdict());
            out.number("peak", variant.peak(), 2);
            out.flag("peakAtLeast", variant.peakAtLeast());
            out.text("t90", variant.t90());
        }
    }
}
