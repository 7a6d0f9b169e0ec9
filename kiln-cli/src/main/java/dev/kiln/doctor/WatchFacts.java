package dev.kiln.doctor;

import dev.kiln.host.proc.HostFacts;
import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.proc.ProcStatus;
import dev.kiln.host.proc.Topology.CpuLists;
import dev.kiln.jvm.AotFlags;
import dev.kiln.jvm.Jdk;
import dev.kiln.jvm.JvmCounters;
import dev.kiln.jvm.JvmProbe;
import dev.kiln.jvm.LiveJvms;
import dev.kiln.model.CpuAssignment;
import dev.kiln.model.LiveProcess;
import dev.kiln.model.experiment.Experiment.Runs;
import dev.kiln.model.experiment.Protocol;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.run.Course;
import dev.kiln.model.run.Course.Outcome;
import dev.kiln.model.run.Course.PhaseTime;
import dev.kiln.model.run.Machine;
import dev.kiln.model.run.Machine.HostInfo;
import dev.kiln.model.run.Machine.JvmInfo;
import dev.kiln.model.run.RunInfo;
import dev.kiln.model.run.RunInfo.NotRecorded;
import dev.kiln.model.run.Treatment;
import dev.kiln.model.run.Treatment.AotUse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/** WatchFacts are those of a live process, in the form of a run's facts. */
final class WatchFacts {
    private static final String PHASE = "watched";
    private static final String AOT_FLAG = "-XX:AOTCache=";

    private final ProcFs fs;
    private final LiveProcess process;
    private final String kilnVersion;
    private final List<String> instruments;
    private final HostInfo host;
    private final List<String> command;
    private final Optional<String> aotCache;
    private final long beganNanos = System.nanoTime();
    private final long beganEpochMillis = System.currentTimeMillis();

    /** The age of the process when watching began: {@link #process} has that when it was found. */
    private final double ageSeconds;

    WatchFacts(ProcFs fs, LiveProcess process, String kilnVersion, List<String> instruments) {
        this.ageSeconds = LiveJvms.ageSeconds(fs, process.startTicks());
        this.fs = fs;
        this.process = process;
        this.kilnVersion = kilnVersion;
        this.instruments = instruments;
        this.host = hostAsAllowed();
        this.command = List.of(text("cmdline").split("\0", -1));
        this.aotCache = aotCache();
    }

    /** Returns the monotonic clock at the launch of the process, which is zero of all times. */
    long launchNanos() {
        return beganNanos - Math.round(ageSeconds * 1e9);
    }

    RunInfo info(Outcome outcome, List<NotRecorded> gaps, Optional<JvmInfo> jvm) {
        long now = System.nanoTime() - launchNanos();
        Duration length = Duration.ofSeconds(Math.max(1, (System.nanoTime() - beganNanos) / 1_000_000_000));
        return new RunInfo(
                kilnVersion,
                new RunInfo.Which("doctor", List.of("pid-" + process.pid()), "pid-" + process.pid(), 1, 1, 0),
                new RunInfo.Launch(
                        launchNanos(),
                        beganEpochMillis - Math.round(1000 * ageSeconds),
                        command,
                        Map.of(),
                        new Treatment(List.of(), instruments, aot(jvm)),
                        Optional.empty()),
                new Machine(
                        jvm,
                        host,
                        new CpuAssignment(List.of(), List.of(), List.of(), false, List.of()),
                        Optional.empty()),
                new RunInfo.Plan(
                        new LoadSpec(List.of(), 1, OptionalDouble.empty(), Duration.ofSeconds(1)),
                        new Protocol("custom", List.of(new Phase.Load(PHASE, length))),
                        Runs.fixed(1),
                        "none: a living process was watched",
                        Optional.empty()),
                new Course(
                        OptionalLong.empty(),
                        OptionalLong.empty(),
                        List.of(new PhaseTime(PHASE, true, beganNanos - launchNanos(), OptionalLong.of(now))),
                        outcome,
                        Optional.empty(),
                        Optional.empty(),
                        List.of(),
                        OptionalLong.empty(),
                        List.of(),
                        Set.of()),
                new RunInfo.Limits(gaps, List.of(), Optional.empty()));
    }

    /** Returns the host with the number of CPUs that the process may use: its threads compete for these. */
    private HostInfo hostAsAllowed() {
        HostInfo all = HostFacts.of(fs);
        int allowed = CpuLists.parse(ProcStatus.field(text("status"), "Cpus_allowed_list"))
                .size();
        return all.withCpus(allowed > 0 ? Math.min(allowed, all.cpus()) : all.cpus());
    }

    private Optional<AotUse> aot(Optional<JvmInfo> jvm) {
        return aotCache.map(file -> {
            String name = file.substring(file.lastIndexOf('/') + 1);
            boolean mapped = text("maps").lines().anyMatch(line -> line.endsWith("/" + name));
            OptionalLong shared = new JvmProbe(fs, process.pid())
                    .counters().stream().mapToLong(JvmCounters::sharedClasses).findFirst();
            return new AotUse(
                    file,
                    "file",
                    mapped,
                    shared,
                    jvm.flatMap(told -> AotFlags.replaysTraining(told.flags(), Jdk.feature(told.version()))),
                    mapped ? Optional.empty() : Optional.of("the JVM has not mapped it"),
                    Optional.empty(),
                    Optional.empty());
        });
    }

    private Optional<String> aotCache() {
        return Stream.of((text("cmdline") + "\0" + text("environ").replace(' ', '\0')).split("\0", -1))
                .filter(word -> word.startsWith(AOT_FLAG))
                .map(word -> word.substring(AOT_FLAG.length()))
                .reduce((first, last) -> last);
    }

    private String text(String file) {
        return fs.text("proc/" + process.pid() + "/" + file).orElse("");
    }
}
