package dev.kiln.explain.cause;

import static dev.kiln.explain.cause.CauseId.proof;

import dev.kiln.explain.budget.Budgets;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.FindingState;
import dev.kiln.model.run.Finding.Proof;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Joined are the findings of processes that serve behind one address, as those of the service: a cause is confirmed if it is
 * of one of them, and ruled out only if it is of all. One that is judged by requests is confirmed only if it is of all,
 * and never ruled out: those that one process lacks may all be in another.
 *
 * @param processes what was found of each
 * @param ofLab causes of what sends the load, which all processes share
 * @param byRequests causes that are judged by the requests of a process, which are not known here
 */
record Joined(List<OneProcess> processes, Set<String> ofLab, Set<String> byRequests) {
    private static final String WHOSE = "the load generator cannot tell which replica answered a request";

    /** This cause is told by threads of one process that wait for its class, whoever else has requests. */
    private static final String OF_ONE = Waits.CLASS_INIT.id().id();

    private static final String UNSEEN = "nothing was recorded of it at that time";

    /** @param name of the place in which the process ran */
    record OneProcess(String name, List<Finding> findings) {
        /** Makes a process of which nothing was recorded: what its findings say by the plan alone is not known of it. */
        static OneProcess unseen(String name, List<Finding> findings) {
            return new OneProcess(
                    name,
                    findings.stream()
                            .map(finding -> with(finding, FindingState.NOT_OBSERVABLE, List.of(proof(UNSEEN))))
                            .toList());
        }
    }

    private record Named(String name, Finding finding) {}

    List<Finding> findings() {
        Findings joined = new Findings(Budgets.NONE);
        Set<String> ids = processes.stream()
                .flatMap(process -> process.findings.stream())
                .map(Finding::id)
                .collect(Collectors.toCollection(LinkedHashSet::new));
        ids.forEach(id -> joined.add(one(id)));
        return joined.ordered();
    }

    private Finding one(String id) {
        List<Named> all = processes.stream()
                .flatMap(process -> process.findings.stream()
                        .filter(finding -> finding.id().equals(id))
                        .map(finding -> new Named(process.name, finding)))
                .toList();
        Finding first = all.getFirst().finding;
        if (ofLab.contains(id)) {
            return first;
        }
        FindingState state = Stream.of(FindingState.CONFIRMED, FindingState.NOT_OBSERVABLE)
                .filter(wanted -> all.stream().anyMatch(named -> named.finding.state() == wanted))
                .findFirst()
                .orElse(FindingState.RULED_OUT);
        if (byRequests.contains(id)) {
            Optional<Finding> open = all.stream()
                    .map(Named::finding)
                    .filter(finding -> finding.state() != FindingState.CONFIRMED)
                    .findFirst();
            boolean told = state == FindingState.CONFIRMED && OF_ONE.equals(id);
            if (open.isPresent() && !told) {
                return with(open.get(), FindingState.NOT_OBSERVABLE, List.of(proof(WHOSE)));
            }
        }
        List<Named> same =
                all.stream().filter(named -> named.finding.state() == state).toList();
        Finding heaviest = same.stream()
                .map(Named::finding)
                .max(Comparator.comparing(
                                (Finding finding) -> !finding.explains().isEmpty())
                        .thenComparingDouble(Finding::weight))
                .orElseThrow();
        return with(heaviest, state, same.stream().flatMap(Joined::proofs).toList());
    }

    private static Stream<Proof> proofs(Named named) {
        return named.finding.evidence().stream()
                .map(proof -> new Proof(named.name + ": " + proof.text(), proof.when()));
    }

    private static Finding with(Finding finding, FindingState state, List<Proof> evidence) {
        return new Finding(
                finding.id(),
                finding.title(),
                finding.seenIn(),
                state,
                finding.weight(),
                finding.explains(),
                evidence,
                finding.remedies());
    }
}
