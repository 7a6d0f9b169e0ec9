package dev.kiln.runner;

import dev.kiln.files.InputFile;
import dev.kiln.host.proc.ProcFs;
import dev.kiln.jvm.AotFlags;
import dev.kiln.jvm.AotReasons;
import dev.kiln.jvm.JvmCounters;
import dev.kiln.jvm.JvmProbe;
import dev.kiln.model.run.Treatment.AotUse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/** An AotProof finds out whether a JVM uses its AOT cache: the file is mapped, and classes came from it. */
record AotProof(long pid, Path log, AotMaking.Made cache) {
    /** No more of the log is read, because the reason stands among a JVM's first lines. */
    private static final int LOG_BYTES = 256 * 1024;

    private static final String UNTOLD =
            "the JVM did not map it and did not log why (its log is off, or goes elsewhere)";

    /** Returns how the JVM uses its cache; empty when the process has ended. */
    Optional<AotUse> look() {
        ProcFs fs = ProcFs.ofThisMachine();
        String maps = fs.text("proc/" + pid + "/maps").orElse("");
        if (maps.isBlank()) {
            return Optional.empty();
        }
        boolean mapped = maps.contains(real(cache.file()).toString());
        Optional<JvmCounters> counters = new JvmProbe(fs, pid).counters();
        OptionalLong counted =
                counters.stream().mapToLong(JvmCounters::sharedClasses).findFirst();
        OptionalLong shared = mapped ? counted : OptionalLong.of(counted.orElse(0));
        boolean used = mapped && shared.orElse(1) > 0;
        return Optional.of(new AotUse(
                cache.file().toString(),
                cache.trained(),
                mapped,
                shared,
                counters.flatMap(jvm -> AotFlags.replaysTraining(jvm.info().flags(), AotFlags.SINCE)),
                used ? Optional.empty() : Optional.of(reason(mapped)),
                cache.training(),
                Optional.empty()));
    }

    private String reason(boolean mapped) {
        return AotReasons.said(beginning()).orElse(mapped ? "the JVM mapped it, but no class came from it" : UNTOLD);
    }

    private String beginning() {
        try (var in = InputFile.stream(log)) {
            return new String(in.readNBytes(LOG_BYTES), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }

    /** Returns the file's path as the kernel names it. */
    private static Path real(Path file) {
        try {
            return file.toRealPath();
        } catch (IOException e) {
            return file;
        }
    }
}
