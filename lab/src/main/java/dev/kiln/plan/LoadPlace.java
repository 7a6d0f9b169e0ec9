package dev.kiln.plan;

import dev.kiln.model.experiment.Placeholders;
import dev.kiln.model.experiment.Where;
import dev.kiln.plan.text.Problems.BadValue;
import java.util.List;
import java.util.Optional;

/** A LoadPlace is the value of {@code from}: where the load is sent from, if not from this machine. */
public final class LoadPlace {
    private static final String EXPECTED =
            "a machine as ssh takes it, kube:NAMESPACE/POD, or a command such as [podman, exec, -i, NAME]";

    private LoadPlace() {}

    /**
     * Makes the place of a command, or of the one word that names a machine or a pod.
     *
     * @throws BadValue for words that lead nowhere
     */
    public static Where of(List<String> words) {
        if (words.isEmpty()) {
            throw BadValue.of("nothing", EXPECTED);
        }
        if (words.stream().anyMatch(word -> !Placeholders.namesIn(word).isEmpty())) {
            throw BadValue.of("a placeholder", "none: the load comes from the same place in all runs");
        }
        String first = words.getFirst();
        if (first.equals("ssh") || first.endsWith("/ssh")) {
            throw BadValue.of("ssh in from", "the machine alone, such as user@box: Kiln calls ssh itself");
        }
        // A command of one word is a script, which has a path.
        return words.size() > 1 || (first.contains("/") && !first.startsWith(AttachRules.KUBE))
                ? HostRules.through(words)
                : named(first);
    }

    private static Where named(String word) {
        try {
            Where place = word.startsWith(AttachRules.KUBE)
                    ? HostRules.running(AttachRules.parse(word), Optional.empty())
                    : HostRules.host(word);
            if (!(place instanceof Where.Here)) {
                return place;
            }
        } catch (BadValue e) {
            // It names what else an attach can be, which a place cannot.
        }
        throw BadValue.of("'" + word + "'", EXPECTED + ", or no 'from' for this machine");
    }
}
