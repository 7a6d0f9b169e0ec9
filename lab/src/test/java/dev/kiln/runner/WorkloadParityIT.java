package dev.kiln.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.model.experiment.Workload;
import dev.kiln.postgres.Postgres;
import dev.kiln.testing.FullRun;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The services, with platform threads and with virtual ones where they can, built and launched as experiments do: one and the same. */
@FullRun
@Order(1)
@Execution(ExecutionMode.CONCURRENT)
final class WorkloadParityIT {
    private static final int POOL = 50;
    private static final int ENOUGH_REQUESTS = 200;

    /** A service in one of its two forms. */
    record Form(String workload, boolean virtualThreads) {}

    /** What was seen of it: answers in the order of the requests, database connections, CPU time per kind of thread. */
    record Seen(List<FruitService.Answer> answers, int connections, long workers, long carriers) {}

    private static final List<FruitRequests.Request> REQUESTS = FruitRequests.all();
    private static final Map<Form, Seen> SEEN = new LinkedHashMap<>();

    static Stream<Form> forms() {
        return Stream.of(
                new Form("fruits-spring", false),
                new Form("fruits-spring", true),
                new Form("fruits-quarkus", false),
                new Form("fruits-quarkus", true),
                new Form("fruits-wildfly", false));
    }

    static IntStream requests() {
        return IntStream.range(0, REQUESTS.size());
    }

    @BeforeAll
    static void askEveryForm() throws Exception {
        forms().map(Form::workload).forEach(BuiltWorkloads::begin);
        try (Bench bench = new Bench();
                Postgres database = bench.postgres(Optional.of(Bench.root().resolve("workloads/fruits.sql")))) {
            for (Form form : forms().toList()) {
                Workload workload = BuiltWorkloads.ready(form.workload());
                database.startFresh();
                try (FruitService service = new FruitService(bench, workload, form.virtualThreads(), database)) {
                    service.awaitReady();
                    SEEN.put(form, look(service, database));
                }
                database.stop();
            }
        }
    }

    private static Seen look(FruitService service, Postgres database) throws Exception {
        List<FruitService.Answer> answers = new ArrayList<>();
        for (FruitRequests.Request request : REQUESTS) {
            answers.add(service.ask(request));
        }
        // The kernel keeps 15 characters: of http-nio-34567-exec-1 none that tell it from the poller.
        Predicate<String> worker = name ->
                name.startsWith("http-nio-") || name.equals("executor-thread") || name.startsWith("default task-");
        Predicate<String> carrier = name -> name.equals("ForkJoinPool-1-");
        long workersBefore = service.cpuNanos(worker);
        long carriersBefore = service.cpuNanos(carrier);
        for (int i = 0; i < ENOUGH_REQUESTS; i++) {
            service.ask(REQUESTS.getFirst());
        }
        return new Seen(
                answers,
                connections(database),
                service.cpuNanos(worker) - workersBefore,
                service.cpuNanos(carrier) - carriersBefore);
    }

    /** Pools fill themselves in the background; one that is full stays as it is. */
    private static int connections(Postgres database) throws SQLException, InterruptedException {
        int count = 0;
        for (int attempt = 0; attempt < 300 && count < POOL; attempt++) {
            Thread.sleep(100);
            count = countConnections(database);
        }
        return count;
    }

    private static int countConnections(Postgres database) throws SQLException {
        try (Connection connection = PostgresIT.connect(database);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select count(*) from pg_stat_activity"
                        + " where backend_type = 'client backend' and pid <> pg_backend_pid()")) {
            rows.next();
            return rows.getInt(1);
        }
    }

    @ParameterizedTest
    @MethodSource("requests")
    void everyFormGivesTheSameAnswer(int index) {
        FruitRequests.Request request = REQUESTS.get(index);
        List<FruitService.Answer> answers =
                SEEN.values().stream().map(seen -> seen.answers().get(index)).toList();

        assertThat(answers.getFirst().status())
                .as("%s: %s", request, answers.getFirst())
                .isEqualTo(request.status());
        forms().forEach(form -> assertThat(seen(form).answers().get(index))
                .as("%s from %s", request, form)
                .isEqualTo(answers.getFirst()));
    }

    @Test
    void theListIsWhatItsDescriptionSays() {
        FruitService.Answer list =
                seen(new Form("fruits-spring", false)).answers().getFirst();

        assertThat(list.mediaType()).isEqualTo("application/json");
        assertThat(list.body()).hasSize(7004).startsWith("[{");
        assertThat(list.body().split("\"name\":", -1)).hasSizeGreaterThan(10);
    }

    @Test
    void theSmallAnswerIsAsLongAsThatOfTheStudy() {
        FruitService.Answer names =
                seen(new Form("fruits-wildfly", false)).answers().get(1);

        assertThat(REQUESTS.get(1).path()).isEqualTo("/fruits/names/3");
        assertThat(names.mediaType()).isEqualTo("application/json");
        assertThat(names.body())
                .isEqualTo(
                        "[{\"id\":1,\"name\":\"Apple\"},{\"id\":2,\"name\":\"Banana\"},{\"id\":3,\"name\":\"Cherry\"}]")
                .hasSize(75);
    }

    @Test
    void onlyWhatWasMadeHasALocation() {
        seen(new Form("fruits-quarkus", true))
                .answers()
                .forEach(answer -> assertThat(answer.location().startsWith("http://localhost/fruits/"))
                        .as("%s", answer)
                        .isEqualTo(answer.status() == 201));
    }

    @ParameterizedTest
    @MethodSource("forms")
    void requestsRunOnTheThreadsThatWereAskedFor(Form form) {
        Seen seen = seen(form);

        if (form.virtualThreads()) {
            assertThat(seen.carriers()).as("carriers against poller").isGreaterThan(seen.workers());
        } else {
            assertThat(seen.workers()).isPositive();
            assertThat(seen.carriers()).as("carriers of virtual threads").isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("forms")
    void everyFormHasTheSamePool(Form form) {
        assertThat(seen(form).connections()).isEqualTo(POOL);
    }

    private static Seen seen(Form form) {
        return Optional.ofNullable(SEEN.get(form)).orElseThrow();
    }
}
