package dev.kiln.remote;

import dev.kiln.launch.AttachSearch.NothingThere;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.experiment.Where.AttachPoint.KubePod;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Kubectl asks a cluster by the user's own program. Nothing is changed but by {@link PodResize}. */
final class Kubectl {
    /** A question ends by then, though one that hangs before it asks the cluster has no limit of its own. */
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private Kubectl() {}

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
        String said = "attach: kubectl does not show " + asked.words() + ": " + FarShell.lastLine(answer.said());
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
        List<String> command = new ArrayList<>(List.of("kubectl"));
        command.addAll(words);
        command.add("--request-timeout=15s");
        try {
            Process process = new ProcessBuilder(command).start();
            try (FarLimit late = FarLimit.of(LIMIT, process)) {
                Answer answer = answer(process);
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

    private static Answer answer(Process process) throws IOException, InterruptedException {
        process.getOutputStream().close();
        // It warns there, also where it succeeds.
        CompletableFuture<String> errors = CompletableFuture.supplyAsync(
                () -> process.errorReader(StandardCharsets.UTF_8).lines().collect(Collectors.joining("\n")));
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor() == 0
                ? new Answer(Optional.of(JsonMapper.shared().readTree(text)), "")
                : new Answer(Optional.empty(), errors.join());
    }
}
