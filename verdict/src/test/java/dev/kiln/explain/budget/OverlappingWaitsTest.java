package dev.kiln.explain.budget;

import static dev.kiln.explain.budget.BudgetKit.blocked;
import static dev.kiln.explain.budget.BudgetKit.budget;
import static dev.kiln.explain.budget.BudgetKit.sum;
import static dev.kiln.explain.budget.BudgetKit.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.explain.Service;
import dev.kiln.model.run.WaitKind;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Where two threads wait at the same time for one of 100 requests, whose response takes 100 ms. */
class OverlappingWaitsTest {
    private static final String SERVER = "http-nio-8080-exec";

    /** Of 100 requests 90 are in a thread of the server, and those of another pool do what these wait for. */
    private static Budget overlapping(WaitKind first) {
        return budget(
                with(
                        Service.healthy().evidence(),
                        IntStream.range(64, 69)
                                .boxed()
                                .flatMap(second -> Stream.of(
                                        blocked(second, SERVER, 90, first, "app.Client.ask:7"),
                                        blocked(second, SERVER, 10, WaitKind.IDLE, ""),
                                        blocked(second, "backend", 90, WaitKind.SLEEP, "app.Backend.answer:5"),
                                        blocked(second, "backend", 10, WaitKind.SOCKET, "app.Backend.answer:3")))
                                .toList()),
                55,
                70);
    }

    private static double at(Budget budget, String frame) {
        return budget.blocked().stream()
                .filter(place -> place.frame().equals(frame))
                .mapToDouble(Budget.BlockedTime::millis)
                .sum();
    }

    @Test
    void theThreadsOfAServerHaveTheRequests() {
        Budget budget = overlapping(WaitKind.SOCKET);

        assertThat(at(budget, "app.Client.ask:7")).isCloseTo(88, within(1.5));
        assertThat(at(budget, "app.Backend.answer:5")).isCloseTo(9, within(1.0));
        assertThat(sum(budget)).isCloseTo(100, within(0.1));
    }

    /** Who waits for a task waits for what its thread does. */
    @Test
    void whatATaskDoesSaysAsMuchAsTheWaitForIt() {
        Budget budget = overlapping(WaitKind.TASK);

        assertThat(at(budget, "app.Backend.answer:5")).isCloseTo(at(budget, "app.Client.ask:7"), within(0.1));
    }

    /** One thread of the server that waits for a task takes nothing from what the others show. */
    @Test
    void oneWaitForATaskLeavesTheOthers() {
        Budget budget = budget(
                with(
                        Service.healthy().evidence(),
                        IntStream.range(64, 69)
                                .boxed()
                                .flatMap(second -> Stream.of(
                                        blocked(second, SERVER, 89, WaitKind.SOCKET, "app.Client.ask:7"),
                                        blocked(second, SERVER, 1, WaitKind.TASK, "app.Pool.get:3"),
                                        blocked(second, SERVER, 10, WaitKind.IDLE, ""),
                                        blocked(second, "backend", 90, WaitKind.SLEEP, "app.Backend.answer:5")))
                                .toList()),
                55,
                70);

        assertThat(at(budget, "app.Backend.answer:5")).isLessThan(20);
    }
}
