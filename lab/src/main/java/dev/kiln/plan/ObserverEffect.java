package dev.kiln.plan;

import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.Variant;
import dev.kiln.model.experiment.Variant.Observe;
import dev.kiln.model.experiment.Variant.Observe.RecordingChoice;
import dev.kiln.plan.text.DurationText;
import dev.kiln.plan.text.Fields;
import dev.kiln.plan.text.Node;
import dev.kiln.plan.text.Node.ScalarKind;
import dev.kiln.plan.text.Problems;
import dev.kiln.plan.text.Problems.BadValue;
import dev.kiln.plan.text.Section;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;

/**
 * An ObserverEffect is the experiment that measures what observing costs: the first variant alone, unobserved from
 * within and then with each instrument. Their runs are interleaved as those of all variants are, so the ratios are of
 * runs under like conditions.
 */
public final class ObserverEffect {
    private ObserverEffect() {}

    private static final int RECORDED = 3;

    /**
     * Returns the experiment that measures what observing the first variant costs. The variant without instruments
     * keeps the name, and the others are compared with it. The flight recording is of the kind that the variant asks
     * for.
     */
    public static Experiment of(Experiment experiment) {
        if (is(experiment)) {
            return experiment;
        }
        RecordingChoice asked = experiment.variants().getFirst().observe().recording();
        return of(experiment, asked == RecordingChoice.OFF ? RecordingChoice.ON : asked);
    }

    private static Experiment of(Experiment experiment, RecordingChoice recording) {
        Variant first = experiment.variants().getFirst();
        return experiment.with(List.of(
                first.with(Observe.NOTHING),
                with(first, Observe.JIT, Observe.NOTHING.withJit(true)),
                with(first, Observe.THREAD_DUMPS, Observe.NOTHING.withThreadDumps(true)),
                with(first, Observe.FLIGHT_RECORDER, Observe.NOTHING.with(recording)),
                with(first, Observe.ASYNC_PROFILER, Observe.NOTHING.withAsyncProfiler(true))));
    }

    /** Tells whether an experiment measures what observing costs. */
    public static boolean is(Experiment experiment) {
        return experiment.variants().size() > RECORDED
                && experiment.variants().getFirst().observe().equals(Observe.NOTHING)
                && of(experiment, experiment.variants().get(RECORDED).observe().recording())
                        .equals(experiment);
    }

    private static Variant with(Variant first, String instrument, Observe observe) {
        return first.named(first.name() + "-" + instrument).with(observe);
    }

    /** An ObserveBinder reads {@code observe:}, the instruments that watch the runs from within. */
    record ObserveBinder(Problems problems) {
        /** The key asks for runs of the first variant with and without each instrument. */
        private static final String EFFECT = "effect";

        static final Section SECTION = new Section(
                "observe",
                List.of(
                        Observe.JIT,
                        Observe.THREAD_DUMPS,
                        Observe.FLIGHT_RECORDER,
                        Observe.ASYNC_PROFILER,
                        Observe.FULL_COLLECTIONS,
                        Observe.CLOSING_RECORDING,
                        EFFECT));

        private static final String EXPECTED =
                "a map such as {flight-recorder: true}, with on or off for jit, thread-dumps, flight-recorder, async-profiler,"
                        + " closing-recording, effect, and a duration for full-collections";

        private static final String ON_OR_OFF = "on or off";
        private static final String OFTEN = "a duration in whole seconds, such as 5m";

        /** An Asked is what {@code observe:} asks for; with {@code effect}, what each instrument costs. */
        record Asked(Observe observe, boolean effect) {
            static final Asked NOTHING = new Asked(Observe.USUAL, false);
        }

        /** Reads the experiment's {@code observe:}. */
        Asked bind(Node node) {
            return Fields.of(node, SECTION, EXPECTED, problems)
                    .map(fields -> new Asked(observe(fields), on(fields, EFFECT, false)))
                    .orElse(Asked.NOTHING);
        }

        /** Reads a variant's {@code observe:}, which replaces the experiment's. */
        Optional<Observe> ofVariant(Node node) {
            return Fields.of(node, SECTION, EXPECTED, problems).map(fields -> {
                if (fields.has(EFFECT)) {
                    problems.add(
                            fields.at(EFFECT), "effect", "found in a variant, expected in the experiment's observe");
                }
                return observe(fields);
            });
        }

        private static Observe observe(Fields fields) {
            return new Observe(
                    on(fields, Observe.JIT, true),
                    on(fields, Observe.THREAD_DUMPS, true),
                    recording(fields),
                    on(fields, Observe.ASYNC_PROFILER, false),
                    fields.parsed(Observe.FULL_COLLECTIONS, OFTEN, ObserveBinder::often),
                    on(fields, Observe.CLOSING_RECORDING, true));
        }

        /** Reads the time from one question to the next, in whole seconds. */
        private static Duration often(String text) {
            Duration every = DurationText.parse(text);
            if (every.toSeconds() == 0 || every.toNanosPart() > 0) {
                throw BadValue.of("'" + text + "'", OFTEN);
            }
            return every;
        }

        /** Reads a switch. YAML 1.1 has {@code off} as a boolean, YAML 1.2 as a text. */
        private static boolean on(Fields fields, String key, boolean absent) {
            return fields.scalar(
                            key,
                            ON_OR_OFF,
                            EnumSet.of(ScalarKind.BOOLEAN, ScalarKind.TEXT),
                            text -> parse(text, ON_OR_OFF))
                    .orElse(absent);
        }

        private static RecordingChoice recording(Fields fields) {
            String expected = "on, off, profile or cpu-time";
            return fields.scalar(
                            Observe.FLIGHT_RECORDER,
                            expected,
                            EnumSet.of(ScalarKind.BOOLEAN, ScalarKind.TEXT),
                            text -> switch (text) {
                                case "profile" -> RecordingChoice.PROFILE;
                                case "cpu-time" -> RecordingChoice.CPU_TIME;
                                default -> parse(text, expected) ? RecordingChoice.ON : RecordingChoice.OFF;
                            })
                    .orElse(RecordingChoice.OFF);
        }

        private static boolean parse(String text, String expected) {
            return switch (text) {
                case "true", "on", "yes" -> true;
                case "false", "off", "no" -> false;
                default -> throw BadValue.of("'" + text + "'", expected);
            };
        }

        static String show(Observe observe) {
            String instruments = String.join(", ", observe.instruments());
            return instruments.isEmpty() ? "only from outside" : "with " + instruments;
        }
    }
}
