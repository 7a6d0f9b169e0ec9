package dev.kiln.plan;

import dev.kiln.model.experiment.Hook;
import dev.kiln.model.experiment.Hook.HookMoment;
import dev.kiln.model.experiment.SetEnv;
import dev.kiln.model.experiment.Variant;
import dev.kiln.model.experiment.Where;
import dev.kiln.model.experiment.Where.AttachPoint.KubePod;
import dev.kiln.plan.text.Problems.BadValue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** SetEnvRules find what a restart by {@code kubectl set env} cannot be: Kiln sets only what it can put back. */
final class SetEnvRules {
    private static final String FOUND = "found restart: kubectl set env ";

    private SetEnvRules() {}

    /**
     * Checks the restart of one target, if it is of this kind.
     *
     * @param variables that the target is to have
     * @throws BadValue that names what it cannot have
     */
    static void require(Where.Running running, List<Hook> hooks, Collection<String> variables) {
        Optional<SetEnv> found = Hook.of(hooks, HookMoment.RESTART).flatMap(SetEnv::of);
        if (found.isEmpty()) {
            return;
        }
        SetEnv set = found.get();
        if (!(running.point() instanceof KubePod pod) || !pod.deployment()) {
            throw new BadValue(FOUND + "with attach: " + running.point().text()
                    + ", expected attach: kube:NAMESPACE/deployment/NAME, whose variables it sets");
        }
        if (!set.others().isEmpty()) {
            throw new BadValue(FOUND + "with " + String.join(" ", set.others())
                    + ", expected the deployment, -n, -c, --context and names of variables alone: a value stands in environment, and Kiln"
                    + " puts back what it knows");
        }
        if (!set.deployment().equals(pod.name())
                || set.namespace().filter(name -> !name.equals(pod.namespace())).isPresent()) {
            throw new BadValue(FOUND
                    + (set.deployment().isEmpty()
                            ? "without a deployment"
                            : "of deployment/" + set.deployment()
                                    + set.namespace().map(name -> " -n " + name).orElse(""))
                    + ", expected deployment/" + pod.name() + " -n " + pod.namespace() + ", as attach has it");
        }
        if (Hook.of(hooks, HookMoment.STOP).isPresent()) {
            throw new BadValue(FOUND + "and stop, expected one of them: at the end the deployment is as it was");
        }
        requireSet(set, variables);
    }

    private static void requireSet(SetEnv set, Collection<String> variables) {
        String unset = variables.stream()
                .filter(name -> !set.names().contains(name))
                .sorted()
                .collect(Collectors.joining(" "));
        if (!unset.isEmpty()) {
            throw new BadValue(FOUND + String.join(" ", set.names()) + ", which does not set " + unset
                    + " of environment: name it there too");
        }
    }

    /** Returns what variants cannot be beside each other, in words: a deployment keeps what one of them has set. */
    static List<String> problems(List<Variant> variants) {
        List<String> found = new ArrayList<>();
        Optional<Variant> setting = variants.stream()
                .filter(variant -> SetEnv.of(variant.target()).isPresent())
                .findFirst();
        setting.ifPresent(one -> variants.stream()
                .filter(other -> SetEnv.of(other.target()).isEmpty()
                        || !other.target().where().equals(one.target().where()))
                .forEach(other ->
                        found.add("variant " + other.name() + ": its restart must set the variables of the same"
                                + " deployment as that of " + one.name() + " (kubectl set env), which keeps them")));
        return found;
    }
}
