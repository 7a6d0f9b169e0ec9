package dev.kiln.relay;

import static io.gatling.javaapi.core.CoreDsl.StringBody;
import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import io.gatling.javaapi.core.ScenarioBuilder;
import io.gatling.javaapi.core.Simulation;
import java.time.Duration;

/** The users of the report: each sends the payload, and sends it again as soon as it has the answer. */
public class RelaySimulation extends Simulation {
    private static final String URL =
            System.getProperty("kiln.url", "http://localhost:8080/echo?calls=5&delay=10");
    private static final int USERS = Integer.getInteger("kiln.connections", 100);
    private static final Duration TIME = Duration.ofSeconds(Long.getLong("kiln.seconds", 300));

    private static final String PAYLOAD = "x".repeat(100_000);

    private final ScenarioBuilder users = scenario("5-10-100000-Async")
            .during(TIME)
            .on(exec(http("echo")
                    .post(URL)
                    .header("Content-Type", "text/plain")
                    .body(StringBody(PAYLOAD))
                    .check(status().is(200))));

    public RelaySimulation() {
        setUp(users.injectOpen(atOnceUsers(USERS)));
    }
}
