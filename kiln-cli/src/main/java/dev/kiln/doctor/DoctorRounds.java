package dev.kiln.doctor;

import dev.kiln.console.Installation;
import dev.kiln.doctor.DoctorFeed.Ways;
import dev.kiln.doctor.DoctorVisit.Sleep;
import dev.kiln.doctor.Watch.DoctorSubject;
import dev.kiln.host.proc.ProcFs;
import dev.kiln.jvm.LiveJvms;
import dev.kiln.model.LiveProcess;
import dev.kiln.recorder.RecorderSpec.RecorderPace;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** DoctorRounds diagnoses each JVM of the machine for a moment: all at once, or in turn, round after round. */
final class DoctorRounds {
    private final ProcFs fs;
    private final LiveJvms jvms;
    private final Duration length;

    /** The last diagnosis of each JVM, by pid; each round stores a new map, so that a scrape reads a whole one. */
    private volatile Map<Long, DoctorSubject> seen = Map.of();

    private volatile double roundSeconds;
    private volatile boolean began;

    /** @param length of the diagnosis of one JVM */
    DoctorRounds(ProcFs fs, Duration length) {
        this.fs = fs;
        this.jvms = new LiveJvms(fs);
        this.length = length;
    }

    /** Diagnoses all JVMs at the same time. */
    List<DoctorSubject> once() {
        return look(jvms.all());
    }

    /** Serves the diagnoses until it is interrupted. The JVMs take turns, so that the cost is spread over the round. */
    @SuppressWarnings("try") // the feed is only held
    void serve(Ways ways, Duration every, PrintWriter log) {
        try (DoctorFeed feed = DoctorFeed.start(ways, this::metrics, () -> began, log)) {
            log.println("kiln: looks at every JVM of this machine once in " + every.toSeconds() + " s");
            boolean go = true;
            while (go) {
                long begin = System.nanoTime();
                go = round(jvms.all(), every);
                roundSeconds = (System.nanoTime() - begin) / 1e9;
                began = true;
                go = go && Sleep.of(Duration.ofNanos(Math.max(0, begin + every.toNanos() - System.nanoTime())));
            }
        }
    }

    private boolean round(List<LiveProcess> all, Duration every) {
        Map<Long, DoctorSubject> stillThere = new LinkedHashMap<>();
        for (LiveProcess process : all) {
            DoctorSubject before = seen.get(process.pid());
            if (before != null && before.process().startTicks() == process.startTicks()) {
                stillThere.put(process.pid(), before);
            }
        }
        seen = stillThere;
        int together = (int) Math.max(1, Math.ceil(all.size() * length.toMillis() * 1.1 / every.toMillis()));
        for (int from = 0; from < all.size(); from += together) {
            Map<Long, DoctorSubject> next = new LinkedHashMap<>(seen);
            look(all.subList(from, Math.min(all.size(), from + together)))
                    .forEach(subject -> next.put(subject.process().pid(), subject));
            seen = next;
            if (Thread.currentThread().isInterrupted()) {
                return false;
            }
        }
        return true;
    }

    private List<DoctorSubject> look(List<LiveProcess> processes) {
        Watch.Spec spec = new Watch.Spec(
                RecorderPace.GLANCE, false, false, length.plusSeconds(5), Optional.empty(), Installation.version());
        List<Watch> watches = new ArrayList<>();
        List<DoctorSubject> subjects = new ArrayList<>();
        try {
            for (LiveProcess process : processes) {
                watches.add(Watch.begin(process, spec, fs));
            }
            Sleep.of(watches.isEmpty() ? Duration.ZERO : length.plusMillis(100));
            for (Watch watch : watches) {
                subjects.add(watch.subject(length.toMillis() / 1e3));
            }
        } finally {
            watches.forEach(Watch::close);
        }
        return subjects;
    }

    private DoctorMetrics metrics() {
        double own = ProcessHandle.current()
                        .info()
                        .totalCpuDuration()
                        .map(Duration::toMillis)
                        .orElse(0L)
                / 1e3;
        return DoctorMetrics.of(List.copyOf(seen.values()), roundSeconds, own);
    }
}
