package dev.kiln.model.experiment;

import dev.kiln.model.experiment.Target.JdkChoice;
import dev.kiln.model.load.FeedTable;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.load.LoadSpec.HttpCall;
import dev.kiln.model.load.LoadSpec.Replay;
import dev.kiln.model.load.LoadSpec.Step;
import dev.kiln.model.load.LoadSpec.Variables;
import dev.kiln.model.load.Sending;
import dev.kiln.model.load.VariedText;
import dev.kiln.model.load.VariedText.Part.Column;
import java.net.URI;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A LoadTemplate is a {@link LoadSpec} whose texts still have placeholders, and where its feed lies.
 *
 * @param from where it is sent from; empty for this machine, and for an engine that says so itself
 */
public record LoadTemplate(
        List<TemplateCall> calls,
        Sending sending,
        LoadEngine engine,
        Optional<EngineSettings> settings,
        Optional<Feeding> feed,
        Optional<Where> from)
        implements Sending.SentRequests {
    /** This seed draws the variables of a load without a feed, which would name another. */
    public static final long DEFAULT_SEED = 1;

    public LoadTemplate {
        calls = List.copyOf(calls);
    }

    /** Returns the settings if they are those of this kind of engine, else nothing. */
    public <T extends EngineSettings> Optional<T> settings(Class<T> kind) {
        return settings.filter(kind::isInstance).map(kind::cast);
    }

    public LoadTemplate with(LoadEngine other) {
        return new LoadTemplate(calls, sending, other, settings, feed, from);
    }

    public LoadTemplate with(EngineSettings other) {
        return new LoadTemplate(calls, sending, engine, Optional.of(other), feed, from);
    }

    public LoadTemplate with(Sending.Way other) {
        return new LoadTemplate(calls, sending.with(other), engine, settings, feed, from);
    }

    /** A TemplateCall is an {@link HttpCall} whose URL, headers and body still have placeholders in them. */
    public record TemplateCall(
            String method,
            String url,
            Map<String, String> headers,
            Optional<String> body,
            int weight,
            Optional<String> bodyContains,
            Optional<String> name,
            Optional<Step> step) {
        public TemplateCall {
            headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
        }

        public TemplateCall with(Step other) {
            return new TemplateCall(method, url, headers, body, weight, bodyContains, name, Optional.of(other));
        }

        private HttpCall fill(Placeholders values) {
            return map(values::fill, values.fill(url));
        }

        /** Fills the known placeholders; variables stay in the texts. */
        private HttpCall fillVaried(Placeholders values) {
            return map(values::fillOnlyKnown, VariedText.inUrl(values.fillOnlyKnown(url)));
        }

        private HttpCall map(UnaryOperator<String> fill, String filledUrl) {
            Map<String, String> filled = new LinkedHashMap<>();
            headers.forEach((name, value) -> filled.put(name, fill.apply(value)));
            return new HttpCall(
                    method, URI.create(filledUrl), filled, body.map(fill), weight, bodyContains, name, step);
        }

        /** Tells whether the requests of this call differ from one another. */
        public boolean varies() {
            return variables().findAny().isPresent();
        }

        /** Tells whether the requests of this call take rows of a feed with these columns. */
        public boolean feeds(List<String> columns) {
            return variables()
                    .anyMatch(name -> columns.contains(name)
                            && VariedText.of("${" + name + "}").parts().getFirst() instanceof Column);
        }

        private Stream<String> variables() {
            return Stream.of(Stream.of(url), headers.values().stream(), body.stream())
                    .flatMap(texts -> texts)
                    .flatMap(text -> Placeholders.namesIn(text).stream())
                    .filter(name -> !Placeholders.KNOWN.contains(name));
        }
    }

    /** A Feeding is a feed or a recording that was read: what describes it, and its rows. */
    public record Feeding(Variables variables, FeedTable table) {}

    public boolean overTls() {
        return calls.stream().anyMatch(call -> call.url().startsWith("https:"));
    }

    /** Tells whether requests of the same call differ, as those of a recording do. */
    public boolean varies() {
        return replay().isPresent() || calls.stream().anyMatch(TemplateCall::varies);
    }

    /** Returns the recording that is replayed; its one call says where to, and which headers are added. */
    public Optional<Replay> replay() {
        return feed.flatMap(some -> some.variables().replay());
    }

    /** Tells whether users send the calls in their order. */
    public boolean inSession() {
        return calls.stream().anyMatch(call -> call.step().isPresent());
    }

    public LoadTemplate withConnections(int other) {
        return new LoadTemplate(calls, sending.withConnections(other), engine, settings, feed, from);
    }

    /** Returns the names of a mix's calls in results; none of a load with one call. Replicas get the same calls. */
    public List<String> callNames() {
        Placeholders any =
                new Placeholders(Placeholders.KNOWN.stream().collect(Collectors.toMap(name -> name, name -> "1")));
        List<HttpCall> filled = fill(any).calls();
        String first = filled.getFirst().url().getRawAuthority();
        List<HttpCall> mine = filled.stream()
                .filter(call -> first.equals(call.url().getRawAuthority()))
                .toList();
        return mine.size() > 1 ? LoadSpec.names(mine) : List.of();
    }

    public LoadSpec fill(Placeholders values) {
        boolean varied = varies() || inSession();
        Variables variables =
                feed.map(Feeding::variables).orElseGet(() -> new Variables(DEFAULT_SEED, Optional.empty()));
        return new LoadSpec(
                calls.stream()
                        .map(call -> varied ? call.fillVaried(values) : call.fill(values))
                        .toList(),
                sending,
                varied ? Optional.of(variables) : Optional.empty());
    }

    /** A LoadEngine names what sends the load, by the engine's id in {@code engines.Engines}. */
    public record LoadEngine(String id) {
        /** Kiln's own driver sends the load. */
        public static final LoadEngine KILN = new LoadEngine("kiln");
    }

    /** EngineSettings are the options of one kind of engine. */
    public sealed interface EngineSettings {
        /**
         * The settings name a Hyperfoil controller, which has agents on other machines send the load.
         *
         * @param controller its REST interface, such as {@code http://lab1:8090}
         * @param target scheme, host and port of the service as agents see it, with {@code ${port}} and
         *     {@code ${host}}; empty for those of the calls
         * @param agents {@code [user@]host[:port]} for the controller's deployer; empty where the controller sends the
         *     load itself
         * @param threads of each agent
         * @param benchmark the user's own, in place of one made from the protocol
         */
        record Hyperfoil(
                URI controller, Optional<String> target, List<String> agents, int threads, Optional<Path> benchmark)
                implements EngineSettings {
            public static final LoadEngine ENGINE = new LoadEngine("hyperfoil");

            public Hyperfoil {
                agents = List.copyOf(agents);
            }
        }

        /** An OnJvm is an engine that a JVM of its own runs. */
        sealed interface OnJvm extends EngineSettings {
            LoadEngine engine();

            /** Returns the JDK which runs it; empty for the one that runs Kiln. */
            Optional<JdkChoice> jdk();

            /** Returns the flags that are added to Kiln's own. */
            List<String> jvmFlags();

            OnJvm with(JdkChoice other);
        }

        /** The settings name a user's simulation class and its class path, with Gatling on it. */
        record GatlingTemplate(String simulation, List<Path> classPath, Optional<JdkChoice> jdk, List<String> jvmFlags)
                implements OnJvm {
            public static final LoadEngine ENGINE = new LoadEngine("gatling");

            public GatlingTemplate {
                classPath = List.copyOf(classPath);
                jvmFlags = List.copyOf(jvmFlags);
            }

            @Override
            public LoadEngine engine() {
                return ENGINE;
            }

            @Override
            public GatlingTemplate with(JdkChoice other) {
                return new GatlingTemplate(simulation, classPath, Optional.of(other), jvmFlags);
            }
        }

        /**
         * The settings name a user's test plan, which JMeter runs.
         *
         * @param plan a {@code .jmx}
         * @param home the folder of JMeter; empty where the environment tells it
         * @param properties what the plan reads, with {@code ${port}} and {@code ${host}} in the values
         */
        record JMeterPlan(
                Path plan,
                Optional<Path> home,
                Map<String, String> properties,
                Optional<JdkChoice> jdk,
                List<String> jvmFlags)
                implements OnJvm {
            public static final LoadEngine ENGINE = new LoadEngine("jmeter");

            public JMeterPlan {
                properties = Collections.unmodifiableMap(new LinkedHashMap<>(properties));
                jvmFlags = List.copyOf(jvmFlags);
            }

            @Override
            public LoadEngine engine() {
                return ENGINE;
            }

            @Override
            public JMeterPlan with(JdkChoice other) {
                return new JMeterPlan(plan, home, properties, Optional.of(other), jvmFlags);
            }
        }

        /**
         * The settings name a call of gRPC, which ghz sends.
         *
         * @param call such as {@code helloworld.Greeter/SayHello}
         * @param proto the file that describes the call; empty where the service itself does (server reflection)
         * @param imports folders of what that file imports
         * @param data the request as JSON, or a file with it
         */
        record GhzCall(
                String call, Optional<Path> proto, List<Path> imports, GhzData data, Map<String, String> metadata)
                implements EngineSettings {
            public static final LoadEngine ENGINE = new LoadEngine("ghz");

            public GhzCall {
                imports = List.copyOf(imports);
                metadata = Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
            }
        }

        /** A GhzData is what a call of gRPC sends. */
        sealed interface GhzData {
            /** The request is this JSON. */
            record Json(String text) implements GhzData {}

            /** The requests are in a file, as JSON. */
            record JsonFile(Path file) implements GhzData {}
        }
    }
}
