package dev.kiln.doctor;

import dev.kiln.console.Consent;
import dev.kiln.console.ResultConsole;
import dev.kiln.console.ShutdownHook;
import dev.kiln.doctor.DoctorSession.DoctorOptions;
import dev.kiln.doctor.DoctorVisit.DoctorExit;
import dev.kiln.doctor.LiveDiagnosis.LiveState;
import dev.kiln.doctor.Remedy.Fix;
import dev.kiln.doctor.Watch.DoctorSubject;
import dev.kiln.host.process.OrphanRegistry;
import dev.kiln.model.KilnException;
import dev.kiln.model.LiveProcess;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/** A DoctorFix applies remedies to a running JVM, if a person or {@code --yes} agrees, and undoes them. */
record DoctorFix(ResultConsole console, boolean yes) {
    /** Names separated by commas. */
    static List<Fix> parse(String names) {
        return Arrays.stream(names.split(",", -1))
                .map(String::strip)
                .map(name -> Arrays.stream(Fix.values())
                        .filter(fix -> fix.text().equals(name))
                        .findFirst()
                        .orElseThrow(() -> KilnException.usage(
                                "--fix: unknown remedy '" + name + "'",
                                "give renice, compile-in-foreground, or both with a comma")))
                .distinct()
                .toList();
    }

    int run(LiveProcess process, List<Fix> fixes, DoctorVisit visit, Duration look, DoctorOptions options) {
        Consent consent = Consent.to("--fix", yes);
        LiveFix.check(process, fixes);
        DoctorSubject before = visit.look(process, look);
        if (options.untilWarm() && before.diagnosis().state() == LiveState.WARM) {
            console.note("kiln: the JVM is warm, so there is nothing to fix; --fix-for TIME applies a remedy anyway");
            return visit.tell(before);
        }
        console.note(DoctorText.verdict(before));
        if (!agreed(consent, process, fixes, options)) {
            console.err().println("kiln: nothing was changed");
            return DoctorExit.of(before.diagnosis().state());
        }
        List<LiveFix> begun = new CopyOnWriteArrayList<>();
        try (ShutdownHook hook = ShutdownHook.of("kiln-take-back", () -> begun.forEach(LiveFix::close))) {
            LiveFix fix = hook.begin(() -> {
                begun.add(LiveFix.begin(process, fixes, OrphanRegistry.defaultFolder()));
                return begun.getFirst();
            });
            return applied(fix, fixes, process, new DoctorSession(console, options, Optional.of(before)));
        }
    }

    private int applied(LiveFix fix, List<Fix> fixes, LiveProcess process, DoctorSession session) {
        try (fix) {
            console.note("kiln: applied " + names(fixes)
                    + (fix.isGuarded()
                            ? "; it is undone at the end, even if this process is killed"
                            : "; there is no shell that could undo it if this process is killed: then the next"
                                    + " kiln doctor undoes it"));
            return session.run(process);
        } finally {
            fix.failures().forEach(why -> console.err().println("kiln: could not undo " + why));
            if (fix.hasEnded()) {
                console.err().println("kiln: process " + process.pid() + " has ended, so there is nothing to undo");
            } else if (fix.failures().isEmpty()) {
                console.err().println("kiln: undid " + names(fixes));
            }
            console.err().flush();
        }
    }

    private boolean agreed(Consent consent, LiveProcess process, List<Fix> fixes, DoctorOptions options) {
        fixes.forEach(fix -> console.err().println("  " + fix.text() + ": " + fix.does()));
        String until = options.untilWarm() ? "until the JVM is warm, at most " : "for ";
        console.err()
                .println("  on pid " + process.pid() + ", " + until
                        + options.length().map(Duration::toSeconds).orElse(0L) + " s, then undone");
        console.err().flush();
        return consent.given(console.err());
    }

    private static String names(List<Fix> fixes) {
        return fixes.stream().map(Fix::text).collect(Collectors.joining(" and "));
    }
}
