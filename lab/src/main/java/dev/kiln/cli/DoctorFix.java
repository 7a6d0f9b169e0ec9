package dev.kiln.cli;

import dev.kiln.cli.DoctorSession.DoctorOptions;
import dev.kiln.cli.DoctorVisit.DoctorExit;
import dev.kiln.doctor.Fix;
import dev.kiln.doctor.LiveFix;
import dev.kiln.explain.LiveDiagnosis.LiveState;
import dev.kiln.host.OrphanRegistry;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.LiveProcess;
import dev.kiln.report.DoctorSubject;
import dev.kiln.report.terminal.DoctorText;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Applies remedies to a living JVM, if a person or {@code --yes} agrees, and takes them back. */
final class DoctorFix {
    private final Console console;
    private final boolean yes;

    DoctorFix(Console console, boolean yes) {
        this.console = console;
        this.yes = yes;
    }

    /** Names separated by commas. */
    static List<Fix> parse(String names) {
        return Arrays.stream(names.split(",", -1))
                .map(String::strip)
                .map(name -> Arrays.stream(Fix.values())
                        .filter(fix -> fix.text().equals(name))
                        .findFirst()
                        .orElseThrow(() -> new KilnException(
                                Exit.USAGE,
                                "--fix: there is no remedy '" + name + "'",
                                "give renice, compile-in-foreground, or both with a comma")))
                .distinct()
                .toList();
    }

    @SuppressWarnings("try") // the hook is only held
    int run(LiveProcess process, List<Fix> fixes, DoctorVisit visit, Duration look, DoctorOptions options) {
        Optional<java.io.Console> terminal = terminal();
        LiveFix.check(process, fixes);
        DoctorSubject before = visit.look(process, look);
        if (options.untilWarm() && before.diagnosis().state() == LiveState.WARM) {
            console.err()
                    .println(
                            "kiln: it is warm, so there is nothing to fix; --fix-for TIME applies a remedy all the same");
            return visit.tell(before);
        }
        console.err().println(DoctorText.verdict(before));
        if (!agreed(terminal, process, fixes, options)) {
            console.err().println("kiln: nothing was changed");
            return DoctorExit.of(before.diagnosis().state());
        }
        LiveFix fix = LiveFix.begin(process, fixes, OrphanRegistry.defaultFolder());
        try (ShutdownHook hook = ShutdownHook.of("kiln-take-back", fix::close);
                fix) {
            console.err()
                    .println("kiln: applied " + names(fixes)
                            + (fix.isGuarded()
                                    ? "; it is taken back at the end, also should this be killed"
                                    : "; there is no shell to take it back should this be killed: then the next kiln"
                                            + " doctor does"));
            console.err().flush();
            return new DoctorSession(console, withBefore(options, before)).run(process);
        } finally {
            fix.failures().forEach(why -> console.err().println("kiln: could not take back " + why));
            if (fix.hasEnded()) {
                console.err()
                        .println("kiln: process " + process.pid() + " has ended; nothing is left to be taken back");
            } else if (fix.failures().isEmpty()) {
                console.err().println("kiln: took back " + names(fixes));
            }
            console.err().flush();
        }
    }

    private static DoctorOptions withBefore(DoctorOptions o, DoctorSubject before) {
        return new DoctorOptions(
                o.ask(), o.untilWarm(), o.screen(), o.length(), o.metrics(), o.json(), o.save(), Optional.of(before));
    }

    /** Whom to ask; empty where {@code --yes} has agreed already. */
    private Optional<java.io.Console> terminal() {
        if (yes) {
            return Optional.empty();
        }
        Optional<java.io.Console> terminal =
                Optional.ofNullable(System.console()).filter(java.io.Console::isTerminal);
        if (terminal.isEmpty()) {
            throw new KilnException(
                    Exit.USAGE, "--fix asks before it changes anything, and nobody can answer here", "give --yes");
        }
        return terminal;
    }

    private boolean agreed(
            Optional<java.io.Console> terminal, LiveProcess process, List<Fix> fixes, DoctorOptions options) {
        fixes.forEach(fix -> console.err().println("  " + fix.text() + ": " + fix.does()));
        String until = options.untilWarm() ? "until it is warm, at most " : "for ";
        console.err()
                .println("  on pid " + process.pid() + ", " + until
                        + options.length().map(Duration::toSeconds).orElse(0L) + " s, then taken back");
        console.err().flush();
        if (terminal.isEmpty()) {
            return true;
        }
        console.err().print("Apply? [y/N] ");
        console.err().flush();
        String answer = terminal.get().readLine();
        return answer != null && answer.strip().toLowerCase(Locale.ROOT).startsWith("y");
    }

    private static String names(List<Fix> fixes) {
        return fixes.stream().map(Fix::text).collect(Collectors.joining(" and "));
    }
}
