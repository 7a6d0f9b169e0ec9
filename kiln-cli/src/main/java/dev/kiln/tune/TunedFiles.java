package dev.kiln.tune;

import dev.kiln.model.Secrets;
import dev.kiln.model.experiment.JvmOptions;
import dev.kiln.model.experiment.JvmOptions.ToolOptions;
import dev.kiln.model.experiment.Modifier;
import dev.kiln.model.experiment.Target.AotCache;
import dev.kiln.model.experiment.Variant;
import dev.kiln.tune.RestartedBy.Starter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * TunedFiles writes a proven cure as configuration, one file for each place where a service is configured. Each file
 * says which runs prove it, and which part of the cure it cannot express.
 */
public final class TunedFiles {
    static final String ENVIRONMENT = "service.env";
    static final String SYSTEMD = "systemd.conf";
    static final String DOCKERFILE = "Dockerfile";
    static final String COMPOSE = "compose.override.yaml";

    /** The names of all files that there may be; files of an earlier search are removed by these names. */
    public static final List<String> NAMES;

    static {
        List<String> names = new ArrayList<>(List.of(ENVIRONMENT, SYSTEMD, DOCKERFILE, COMPOSE));
        names.addAll(TunedKubernetes.NAMES);
        NAMES = List.copyOf(names);
    }

    private final Cure cure;

    /**
     * @param directory of the search
     * @param secrets what becomes of passwords and tokens
     */
    public TunedFiles(Variant baseline, Tuning tuning, Path directory, Secrets secrets) {
        cure = new Cure(baseline, tuning, directory, secrets);
    }

    /** Returns the text of each file under its name. */
    public Map<String, String> texts() {
        Map<String, String> texts = new LinkedHashMap<>();
        texts.put(ENVIRONMENT, service());
        texts.put(SYSTEMD, systemd());
        if (cure.trained()) {
            texts.put(DOCKERFILE, dockerfile());
        }
        if (cure.restartedBy().starter() == Starter.COMPOSE
                && !cure.environment().isEmpty()) {
            texts.put(COMPOSE, compose());
        }
        texts.putAll(new TunedKubernetes(cure).texts());
        return texts;
    }

    private String compose() {
        return cure.head(
                        "A second compose file. Beside compose.yaml, docker compose reads it by itself; where -f is given, add"
                                + " -f " + COMPOSE + " behind the others."
                                + (cure.restartedBy().service().isPresent()
                                        ? ""
                                        : " Put the name of yours for SERVICE."))
                + "services:\n  " + cure.restartedBy().service().orElse("SERVICE") + ":\n    environment:\n"
                + cure.environment().entrySet().stream()
                        // Compose would take what follows a dollar for the name of a variable.
                        .map(one -> "      " + one.getKey() + ": '"
                                + one.getValue().replace("'", "''").replace("$", "$$") + "'\n")
                        .collect(Collectors.joining());
    }

    private String service() {
        return cure.head("The environment of the service, for docker run --env-file or EnvironmentFile= of systemd.")
                + cure.environment().entrySet().stream()
                        .map(one -> one.getKey() + "=" + one.getValue() + "\n")
                        .collect(Collectors.joining());
    }

    private String systemd() {
        StringBuilder out = new StringBuilder(cure.head(
                "A drop-in of systemd: /etc/systemd/system/NAME.service.d/kiln.conf, then systemctl daemon-reload.",
                cure.unsettable()));
        out.append("[Service]\n");
        cure.environment()
                .forEach((name, value) -> out.append("Environment=\"")
                        .append(name)
                        .append('=')
                        .append(value.replace("\\", "\\\\")
                                .replace("\"", "\\\"")
                                .replace("%", "%%"))
                        .append("\"\n"));
        if (cure.favouredByFlags()) {
            out.append("AmbientCapabilities=CAP_SYS_NICE\n");
        }
        for (Modifier modifier : cure.limits()) {
            if (modifier instanceof Modifier.CpuQuota quota) {
                out.append("CPUQuota=").append(Math.round(100 * quota.cpus())).append("%\n");
            } else if (modifier instanceof Modifier.MemoryLimit memory) {
                out.append("MemoryMax=").append(memory.bytes()).append('\n');
            }
        }
        return out.toString();
    }

    private String dockerfile() {
        String train = cure.target().aot().orElseThrow() instanceof AotCache.Traffic traffic
                ? "sends the service its usual load for " + traffic.duration().toSeconds() + " s"
                : "waits until the service is ready";
        List<String> command = new ArrayList<>(List.of("java", "-XX:AOTCacheOutput=" + Cure.CACHE));
        JvmOptions.of(cure.target()).stream()
                .filter(flag -> !cure.isHeldBack(flag))
                .map(TunedFiles::word)
                .forEach(command::add);
        return cure.head("Stages that train an AOT cache. IMAGE has the JDK and the service in /app, as production has;"
                        + " train.sh is yours: it " + train + "."
                        + (cure.runsAJar() ? "" : " CLASSPATH and MAIN are those of your command."))
                + "FROM IMAGE AS training\n"
                + "WORKDIR /app\n"
                + "COPY train.sh .\n"
                + "RUN " + String.join(" ", command)
                + (cure.runsAJar() ? " -jar app.jar" : " -cp CLASSPATH MAIN")
                + " & service=$!; sh train.sh; kill $service; wait $service; test -s " + Cure.CACHE
                + "\n\n"
                + "FROM IMAGE\n"
                + "COPY --from=training " + Cure.CACHE + " " + Cure.CACHE + "\n"
                + Optional.ofNullable(cure.environment().get(ToolOptions.NAME))
                        .map(options -> "ENV " + ToolOptions.NAME + "=\"" + options.replaceAll("([\"$\\\\])", "\\\\$1")
                                + "\"\n")
                        .orElse("");
    }

    /** Returns a word as a shell reads it. */
    private static String word(String text) {
        return text.matches("[A-Za-z0-9_./:=+,@%-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
    }
}
