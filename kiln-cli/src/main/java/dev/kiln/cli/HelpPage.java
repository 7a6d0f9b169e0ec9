package dev.kiln.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * A HelpPage is a page of the documentation that comes within the program: a message can name it, and it opens wherever Kiln
 * runs. What is about one command is that command's help.
 */
final class HelpPage {
    /** The topics, each the name of a page in {@code docs/reference} or {@code docs/how-to}. */
    static final List<String> TOPICS = List.of(
            "experiment-file",
            "targets",
            "load",
            "protocols",
            "modifiers",
            "observation",
            "remote",
            "measure-a-running-service",
            "measure-a-service-where-it-runs",
            "find-out-why-a-pod-is-slow-after-a-deployment",
            "send-traffic-to-a-pod-when-it-is-warm",
            "compare-two-jdks",
            "fail-a-build",
            "import-results",
            "install",
            "read-a-report",
            "budget",
            "statistics",
            "evidence",
            "result-json",
            "exit-codes",
            "terminal",
            "security");

    /** Topics are what a shell completes behind {@code kiln help}. */
    static final class Topics implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return TOPICS.iterator();
        }
    }

    private HelpPage() {}

    /** Returns the text of a page; empty if there is none of this topic. */
    static Optional<String> of(String topic) {
        if (!TOPICS.contains(topic)) {
            return Optional.empty();
        }
        try (InputStream page = HelpPage.class.getResourceAsStream("/docs/" + topic + ".md")) {
            return page == null
                    ? Optional.empty()
                    : Optional.of(new String(page.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
