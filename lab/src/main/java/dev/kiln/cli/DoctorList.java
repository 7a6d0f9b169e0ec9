package dev.kiln.cli;

import dev.kiln.doctor.LiveJvms;
import dev.kiln.doctor.Watch;
import dev.kiln.doctor.WatchSpec;
import dev.kiln.model.LiveProcess;
import dev.kiln.recorder.Pace;
import dev.kiln.report.DoctorSubject;
import dev.kiln.report.json.DoctorJson;
import dev.kiln.report.terminal.DoctorText;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** All JVMs that can be seen, each looked at for a moment, all at the same time. */
final class DoctorList {
    private final Console console;
    private final Optional<Path> json;

    DoctorList(Console console, Optional<Path> json) {
        this.console = console;
        this.json = json;
    }

    int run(LiveJvms jvms, Duration length) {
        WatchSpec spec =
                new WatchSpec(Pace.GLANCE, false, length.plusSeconds(5), Optional.empty(), Main.Version.text());
        List<Watch> watches = new ArrayList<>();
        List<DoctorSubject> subjects = new ArrayList<>();
        try {
            for (LiveProcess process : jvms.all()) {
                watches.add(Watch.begin(process, spec));
            }
            Sleep.of(watches.isEmpty() ? Duration.ZERO : length.plusMillis(100));
            for (Watch watch : watches) {
                subjects.add(new DoctorSubject(
                        watch.process(), watch.diagnosis(length.toMillis() / 1e3), watch.notRecorded()));
            }
        } finally {
            watches.forEach(Watch::close);
        }
        Answer.put(console, json, () -> DoctorJson.render(subjects), () -> DoctorText.all(subjects, console.style()));
        return 0;
    }
}
