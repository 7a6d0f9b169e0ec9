package dev.kiln.remote;

import dev.kiln.launch.AttachSearch.NothingThere;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.experiment.Where.AttachPoint.KubePod;
import dev.kiln.remote.FarShell.FarLimit;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.StringNode;

/**
 * Kubectl asks a cluster by the user's own program. Nothing is changed but by {@link PodResize}. All of a Kiln goes to the cluster that
 * was kubectl's current one when it first asked: somebody may choose another one meanwhile.
 */
final class Kubectl {
    /** A question ends by then, though one that hangs before it asks the cluster has no limit of its own. */
    private static final Duration LIMIT = Duration.ofSeconds(30);

    /** An answer about thousands of pods has some MB. */
    private static final int MOST_SAID = 64 << 20;

    private static final String CONFIG = "KUBECONFIG";

    /** What kubectl told when it was first asked. */
    private static Optional<Current> current = Optional.empty();

    private Kubectl() {}

    /** A Current is the context that kubectl goes by where no command names one. */
    private record Current(Optional<String> name) {
        /** Asks kubectl, or fails with its words: another cluster would be changed where none was named. */
        private static Current asked() {
            Answer answer = run(
                    List.of("kubectl", "config", "view", "-o", "jsonpath={.current-context}"),
                    text -> StringNode.valueOf(text.strip()));
            JsonNode name = answer.json()
                    .orElseThrow(() -> KilnException.machine(
                            "kubectl does not tell its current context: " + FarShell.lastLine(answer.said()),
                            "this must work: kubectl config view"));
            return new Current(Optional.of(name.asString("")).filter(said -> !said.isEmpty()));
        }
    }

    /**
     * Returns the name by which kubectl knows the cluster; empty where it has none, as inside of a cluster.
     *
     * @throws KilnException if kubectl does not tell
     */
    static synchronized Optional<String> context() {
        if (current.isEmpty()) {
            current = Optional.of(Current.asked());
        }
        return current.get().name();
    }

    /**
     * Returns the whole command.
     *
     * @param words behind the name of the program
     */
    static List<String> command(List<String> words) {
        List<String> command = new ArrayList<>(List.of("kubectl"));
        context().ifPresent(name -> command.addAll(List.of("--context", name)));
        command.addAll(words);
        return command;
    }

    /** Returns the variable that leads a later Kiln to the same files, wherever it is started. */
    static Map<String, String> configuration() {
        String named = System.getenv().getOrDefault(CONFIG, "");
        Path usual = Path.of(System.getenv().getOrDefault("HOME", ""), ".kube", "config");
        if (named.isEmpty()) {
            return Files.exists(usual) ? Map.of(CONFIG, usual.toAbsolutePath().toString()) : Map.of();
        }
        return Map.of(
                CONFIG,
                Stream.of(named.split(File.pathSeparator, -1))
                        .map(file -> file.isEmpty()
                                ? file
                                : Path.of(file).toAbsolutePath().toString())
                        .collect(Collectors.joining(File.pathSeparator)));
    }

    /** An Answer is what kubectl printed; without JSON where it failed. */
    record Answer(Optional<JsonNode> json, String said) {
        /** Tells whether the cluster answered that there is no such thing. */
        boolean isAbsent() {
            return json.isEmpty() && said.contains("NotFound");
        }
    }

    /** Returns what the cluster says, or fails with its words. */
    static JsonNode get(KubePod asked, String... what) {
        Answer answer = get(asked.namespace(), what);
        if (answer.json().isPresent()) {
            return answer.json().get();
        }
        String said =
                asked.text() + ": kubectl does not show " + asked.words() + ": " + FarShell.lastLine(answer.said());
        String remedy = "this must work: kubectl get " + String.join(" ", what) + " -n " + asked.namespace();
        throw answer.isAbsent() ? new NothingThere(Exit.MACHINE, said, remedy) : KilnException.machine(said, remedy);
    }

    static Answer get(String namespace, String... what) {
        List<String> words = new ArrayList<>(List.of("get", "-n", namespace, "-o", "json"));
        words.addAll(List.of(what));
        return ask(words);
    }

    /** @param words behind its name, which make it answer in JSON */
    static Answer ask(List<String> words) {
        List<String> command = command(words);
        command.add("--request-timeout=15s");
        return run(command, text -> JsonMapper.shared().readTree(text));
    }

    private static Answer run(List<String> command, Function<String, JsonNode> read) {
        try {
            Process process = new ProcessBuilder(command).start();
            try (FarLimit late = FarLimit.of(LIMIT, process)) {
                Answer answer = answer(process, read);
                return late.isOver() ? new Answer(Optional.empty(), late.words()) : answer;
            }
        } catch (IOException | JacksonException e) {
            return new Answer(Optional.empty(), String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Answer(Optional.empty(), "interrupted");
        }
    }

    /** Returns when a pod's containers started, in whole seconds that sort as text; empty where the cluster does not tell. */
    static String startedAt(JsonNode pod) {
        return pod.path("status").findValuesAsString("startedAt").stream()
                .max(Comparator.naturalOrder())
                .orElse("");
    }

    private static Answer answer(Process process, Function<String, JsonNode> read)
            throws IOException, InterruptedException {
        process.getOutputStream().close();
        // It warns there, also where it succeeds.
        LastWords errors = LastWords.of(process);
        byte[] said = process.getInputStream().readNBytes(MOST_SAID);
        if (said.length == MOST_SAID) {
            process.destroyForcibly();
        }
        String text = new String(said, StandardCharsets.UTF_8);
        if (process.waitFor() == 0) {
            return new Answer(Optional.of(read.apply(text)), "");
        }
        errors.await();
        return new Answer(Optional.empty(), errors.text());
    }
}
