package dev.kiln.explain.cause;

import dev.kiln.explain.Service;
import dev.kiln.model.experiment.Change;
import dev.kiln.model.experiment.Modifier;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Treatment;
import java.util.List;
import java.util.Optional;

/** CauseServices are services made by hand that the tests of several causes need, and what those causes propose. */
final class CauseServices {
    private CauseServices() {}

    /** Returns a service whose threads' waits are not known, and whose compilers had a CPU for this share of their time. */
    static Service unwaitedService(double efficiency) {
        Service service = Service.healthy();
        service.c2Cpu = 0.5;
        service.c2Wait = 0;
        service.workerWait = 0;
        service.compileSeconds = 0.52 / efficiency;
        return service;
    }

    static Treatment limited(Modifier modifier) {
        return new Treatment(
                List.of(modifier.text()), Treatment.TreatmentLimits.of(List.of(modifier)), List.of(), Optional.empty());
    }

    /** Returns what a confirmed cause proposes to change. */
    static List<Change> changes(Service service, String cause) {
        return service.finding(cause).remedies().stream()
                .flatMap(remedy -> remedy.change().stream())
                .toList();
    }

    /** Returns the JVM flags that a finding proposes. */
    static List<String> flagsToTry(Finding finding) {
        return finding.remedies().stream()
                .flatMap(remedy -> remedy.change().stream())
                .map(Change::jvmFlags)
                .flatMap(List::stream)
                .toList();
    }
}
