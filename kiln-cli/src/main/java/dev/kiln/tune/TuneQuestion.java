package dev.kiln.tune;

import dev.kiln.model.CpuAssignment.CpuRequest;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.LoadTemplate;
import dev.kiln.model.experiment.LoadTemplate.LoadEngine;
import dev.kiln.model.experiment.Protocol;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Variant;
import dev.kiln.model.experiment.Where;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A TuneQuestion is what a search asks, and of which service: one that asks something else is another search. */
final class TuneQuestion {
    private TuneQuestion() {}

    /**
     * Returns a digest of what the search asks, by which a folder's search can be continued; a digest, because the
     * parts may hold secrets.
     */
    static String of(Experiment experiment, Goal by) {
        List<String> parts = new ArrayList<>(List.of(stable(by), stable(experiment.protocol())));
        for (Variant variant : experiment.variants()) {
            parts.add(variant.name());
            parts.add(variant.target().workload() + " " + variant.target().virtualThreads());
            parts.add(variant.target().command() + " " + variant.target().arguments());
            parts.add(stable(variant.target().jvm()) + " " + variant.target().modifiers());
            parts.add(new TreeMap<>(variant.target().environment()) + " "
                    + stable(variant.target().where()));
            variant.target().command().forEach(word -> parts.add(version(variant.target(), word)));
        }
        // Older searches had none, and can be continued.
        Stream.concat(
                        experiment.hooks().stream(),
                        experiment.variants().stream().flatMap(variant -> variant.target().hooks().stream()))
                .forEach(hook -> parts.add(hook.toString()));
        LoadTemplate load = experiment.load();
        parts.add(load.calls() + " " + load.sending() + " " + stable(load.engine()) + " " + load.settings());
        parts.add(load.feed().map(LoadTemplate.Feeding::variables) + " " + stable(experiment.setting()));
        load.from().ifPresent(from -> parts.add("from " + stable(from)));
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256")
                    .digest(String.join("\n", parts).getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the protocol in the form that older searches recorded, so that these can be continued. */
    static String stable(Protocol protocol) {
        return protocol.toString().replace(", untilKnownFrom=Optional.empty]", "]");
    }

    /** Returns the place in the form that older searches recorded, so that these can be continued. */
    static String stable(Where where) {
        return where.toString().replace(", via=[]]", "]").replace(", there=Optional.empty]", "]");
    }

    /** Returns the JVM's options in the form that older searches recorded, so that these can be continued. */
    static String stable(Target.Jvm jvm) {
        return "Jvm[jdk=" + jvm.jdk() + ", flags=" + jvm.flags() + ", aot=" + jvm.aot() + "]";
    }

    /** Returns where it runs in the form that older searches recorded, so that these can be continued. */
    static String stable(Experiment.Setting setting) {
        CpuRequest cpus = setting.cpus();
        return "Setting[database=" + setting.database() + ", cpus=CpuRequest[target=" + cpus.target() + ", load="
                + cpus.load() + ", database=" + cpus.database() + ", targetElsewhere=" + cpus.targetElsewhere()
                + ", behind=" + cpus.behind() + "], cold=" + setting.cold() + "]";
    }

    /** Returns the engine's name in the form that older searches recorded, so that these can be continued. */
    static String stable(LoadEngine engine) {
        return engine.id().toUpperCase(Locale.ROOT);
    }

    /**
     * Returns a name of the goal that stays the same when its id changes: a search begun under an older id can be
     * continued.
     */
    private static String stable(Goal by) {
        return by.name().toLowerCase(Locale.ROOT);
    }

    /**
     * Returns the size and the time of change of a jar, which distinguish two builds; empty for other words, and for a
     * workload, which Kiln builds itself.
     */
    private static String version(Target target, String word) {
        File file = target.workingDirectory().orElse(Path.of("")).resolve(word).toFile();
        return target.workload().isEmpty() && word.endsWith(".jar") && file.isFile()
                ? file.length() + " " + file.lastModified()
                : "";
    }
}
