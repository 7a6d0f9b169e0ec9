package dev.kiln.tune;

import dev.kiln.model.experiment.Hook;
import dev.kiln.model.experiment.Hook.HookMoment;
import dev.kiln.model.experiment.JvmOptions.ToolOptions;
import dev.kiln.model.experiment.SetEnv;
import dev.kiln.model.experiment.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A RestartedBy is who starts a service anew for its runs, as far as the restart command names it.
 *
 * @param service what it starts: the only service of a compose file that the command names, or an object of a cluster with its
 *     namespace; empty where the command does not say
 */
record RestartedBy(Starter starter, Optional<String> service) {
    /** These options of compose's {@code up} have the next word as their value. */
    private static final Set<String> WITH_VALUE = Set.of(
            "--scale", "-t", "--timeout", "--wait-timeout", "--pull", "--attach", "--no-attach", "--exit-code-from");

    private static final Set<String> COMPOSERS = Set.of("docker-compose", "podman-compose");
    private static final Set<String> ENGINES = Set.of("podman", "docker");
    private static final Pattern OBJECT =
            Pattern.compile("(deployments?|deploy|statefulsets?|sts|daemonsets?|ds)/[a-z0-9][a-z0-9.-]*");

    /** These options of kubectl say where the object is, by the next word. */
    private static final Set<String> PLACE =
            Set.of("-n", "--namespace", "--context", "--kubeconfig", "--cluster", "-c", "--containers");

    private static final Pattern PLACED = Pattern.compile("-n=?[a-z0-9-]+|--(namespace|context|kubeconfig|cluster)=.+");

    /** These options of kubectl have a file or folder as the next word. */
    private static final Set<String> OF_FILES = Set.of("-f", "--filename", "-k", "--kustomize");

    /** A Starter is a program that starts services. */
    enum Starter {
        COMPOSE(
                TunedFiles.COMPOSE,
                "in the compose file write 'environment: [" + ToolOptions.NAME
                        + "]' under the service, beside what is there"),
        SET_ENV(
                TunedKubernetes.PATCH,
                "see whether the image starts the JVM by a script that replaces the variable, or whether something that looks"
                        + " after the deployment, such as Argo CD, took it back: pause that for the search"),
        KUBECTL(
                TunedKubernetes.PATCH,
                "allow Kiln to set it in the deployment, and to take it back at the end: restart: kubectl set env"
                        + " deployment/NAME -n NAMESPACE " + ToolOptions.NAME),
        SYSTEMD(
                TunedFiles.SYSTEMD,
                "systemd hands no variable of its caller on: let the command write it into a drop-in of the unit first, as"
                        + " kiln help measure-a-service-where-it-runs shows"),
        ENGINE(
                TunedFiles.ENVIRONMENT,
                "a container has the variables with which it was made: let the command make it anew, with run --env "
                        + ToolOptions.NAME),
        OTHER(
                TunedFiles.ENVIRONMENT,
                "in a compose file write 'environment: [" + ToolOptions.NAME
                        + "]' under the service, for podman and docker"
                        + " run --env " + ToolOptions.NAME + ", for sudo --preserve-env=" + ToolOptions.NAME
                        + ", and do not replace the variable in a script; for systemd, a drop-in: kiln help"
                        + " measure-a-service-where-it-runs");

        private final String file;
        private final String advice;

        Starter(String file, String advice) {
            this.file = file;
            this.advice = advice;
        }

        boolean isKubectl() {
            return this == SET_ENV || this == KUBECTL;
        }

        /** Returns the name of the file with which a cure is kept there. */
        String file() {
            return file;
        }

        /** Returns how the variable for the JVM's flags comes to the service, in words. */
        String advice() {
            return advice;
        }
    }

    static RestartedBy of(Target target) {
        List<String> command =
                target.hook(HookMoment.RESTART).map(Hook::command).orElse(List.of());
        // A shell has its script in one word.
        List<String> whole = command.stream()
                .flatMap(word -> Stream.of(word.split("[\\s;&|()]+", -1)))
                .toList();
        List<String> words = whole.stream()
                .map(word -> word.matches("/.*/[^/]+") ? word.substring(word.lastIndexOf('/') + 1) : word)
                .toList();
        boolean engine = words.stream().anyMatch(ENGINES::contains);
        if (words.stream().anyMatch(COMPOSERS::contains) || (engine && words.contains("compose"))) {
            return new RestartedBy(Starter.COMPOSE, composed(command));
        }
        if (words.contains("kubectl")) {
            Starter starter = SetEnv.of(target).isPresent() ? Starter.SET_ENV : Starter.KUBECTL;
            return new RestartedBy(starter, object(whole));
        }
        if (words.contains("systemctl")) {
            return new RestartedBy(Starter.SYSTEMD, Optional.empty());
        }
        return new RestartedBy(engine ? Starter.ENGINE : Starter.OTHER, Optional.empty());
    }

    private static Optional<String> composed(List<String> command) {
        int up = command.indexOf("up");
        List<String> named = new ArrayList<>();
        for (int i = up + 1; up >= 0 && i < command.size(); i++) {
            if (WITH_VALUE.contains(command.get(i))) {
                i++;
            } else if (!command.get(i).startsWith("-")) {
                named.add(command.get(i));
            }
        }
        return named.size() == 1 ? Optional.of(named.getFirst()) : Optional.empty();
    }

    private static Optional<String> object(List<String> words) {
        StringBuilder where = new StringBuilder();
        Optional<String> object = Optional.empty();
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            boolean hasNext = i + 1 < words.size();
            if (PLACE.contains(word) && hasNext) {
                where.append(word).append(' ').append(words.get(++i)).append(' ');
            } else if (PLACED.matcher(word).matches()) {
                where.append(word).append(' ');
            } else if (OF_FILES.contains(word)) {
                i++;
            } else if (object.isEmpty() && OBJECT.matcher(word).matches()) {
                object = Optional.of(word);
            }
        }
        return object.map(found -> where + found);
    }
}
