package dev.kiln.cli;

import dev.kiln.doctor.LiveJvms;
import dev.kiln.host.ProcFs;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.LiveProcess;
import dev.kiln.plan.DurationText;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kiln doctor}: a living JVM, without a restart. */
@Command(
        name = "doctor",
        description = "Tells whether a living JVM is warm, and if not, why. Without a PID: all JVMs it can see.",
        sortOptions = false,
        mixinStandardHelpOptions = true,
        footer = {"", "Exit codes: 0 warm; 6 warming up; 7 starved of CPU; 8 cannot tell (idle, died, closed to us)."})
final class DoctorCommand implements Callable<Integer> {
    private static final Duration SHORTEST = Duration.ofSeconds(2);

    @Parameters(paramLabel = "PID", arity = "0..1", description = "As seen from here, also for a JVM in a container.")
    private @Nullable Long pid;

    @Option(names = "--for", paramLabel = "TIME", description = "How long to look (10s; 2s for a list).")
    private @Nullable String length;

    @Option(names = "--json", description = "Write the result as JSON here instead; - is the standard output.")
    private @Nullable Path json;

    @Option(names = "--container", paramLabel = "ID", description = "The JVM in this container, instead of a PID.")
    private @Nullable String container;

    @Option(
            names = "--no-ask",
            description = "Only look: ask the JVM nothing over its attach socket, so that nothing in it stops.")
    private boolean noAsk;

    @Option(names = "--save", paramLabel = "DIR", description = "Keep the evidence there, for kiln report and explain.")
    private @Nullable Path save;

    @Mixin
    private final Console console = new Console();

    @Override
    public Integer call() {
        LiveJvms jvms = new LiveJvms(ProcFs.ofThisMachine());
        if (pid == null && container == null) {
            return new DoctorList(console, Optional.ofNullable(json)).run(jvms, length("2s"));
        }
        LiveProcess process = container == null ? jvms.of(pid) : jvms.inContainer(container);
        DoctorVisit visit = new DoctorVisit(console, Optional.ofNullable(json), !noAsk, Optional.ofNullable(save));
        return visit.once(process, length("10s"));
    }

    private Duration length(String otherwise) {
        Duration duration = DurationText.option("--for", length == null ? otherwise : length);
        if (duration.compareTo(SHORTEST) < 0) {
            throw new KilnException(
                    Exit.USAGE,
                    "--for " + length + " is too short: the kernel tells of a wait when it is over",
                    "give 2s or more; 10s is a good length");
        }
        return duration;
    }
}
