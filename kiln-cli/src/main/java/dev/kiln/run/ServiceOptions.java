package dev.kiln.run;

import dev.kiln.model.experiment.Experiment;
import dev.kiln.plan.FlagExperiment;
import dev.kiln.plan.ServiceFlag;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** ServiceOptions describe service, variants and load on the command line, in place of a file. */
final class ServiceOptions {
    @Option(names = "--url", description = "Where the load goes; $${port} stands for a free port that Kiln chooses.")
    private Optional<String> url = Optional.empty();

    @Option(names = "--method", description = "The HTTP method (GET).")
    private Optional<String> method = Optional.empty();

    @Option(
            names = "--header",
            paramLabel = "NAME: VALUE",
            description = "A header of each request, such as 'Accept: text/plain'. May be repeated.")
    private List<String> headers = List.of();

    @Option(
            names = "--body",
            paramLabel = "TEXT",
            description = "With --method: the body of each request, such as \"$(cat request.json)\".")
    private Optional<String> body = Optional.empty();

    @Option(
            names = "--attach",
            paramLabel = "WHAT",
            description = "In place of a command: a service that runs already, by PID, port:8080, the name of its"
                    + " container, or kube:NAMESPACE/POD. Kiln neither changes nor ends it.")
    private Optional<String> attach = Optional.empty();

    @Option(
            names = "--replicas",
            paramLabel = "N",
            description =
                    "With --attach kube:NAMESPACE/deployment/NAME: the number of its pods, all of which serve behind"
                            + " the URL (1). Each is recorded; the throughput and the peak are those of all.")
    private Optional<String> replicas = Optional.empty();

    @Option(
            names = "--via",
            paramLabel = "COMMAND",
            description =
                    "The command that runs programs where the service is, such as 'podman exec -i NAME' or 'kubectl"
                            + " exec -i POD --'. Kiln's agent goes through it; --attach or the command is then meant there.")
    private Optional<String> via = Optional.empty();

    @Option(
            names = "--restart",
            paramLabel = "COMMAND",
            description =
                    "With --attach: the command that starts the service anew for each run, such as 'systemctl restart"
                            + " shop'. Kiln finds the new process, which is cold. It is given --env. 'kubectl set env"
                            + " deployment/NAME -n NAMESPACE VARIABLE', without a value, lets Kiln set that variable in a"
                            + " deployment for each run, and put back what was there.")
    private Optional<String> restart = Optional.empty();

    @Option(
            names = "--stop",
            paramLabel = "COMMAND",
            description = "With --restart: the command that stops the service at the end of each run.")
    private Optional<String> stop = Optional.empty();

    @Option(names = "--rate", description = "Requests per second; without it each connection sends when it can.")
    private Optional<String> rate = Optional.empty();

    @Option(
            names = "--arrivals",
            description = "even or poisson: how requests that have a rate follow one another (even).")
    private Optional<String> arrivals = Optional.empty();

    @Option(names = "--timeout", description = "A request without a response after this time has timed out (30s).")
    private Optional<String> timeout = Optional.empty();

    @Option(names = "--ca", paramLabel = "FILE", description = "For https: a PEM file with the issuers to trust.")
    private Optional<String> ca = Optional.empty();

    @Option(names = "--insecure", description = "For https: trust anybody. The result says so.")
    private boolean insecure;

    @Option(names = "--http2", description = "Send over HTTP/2: https by ALPN, http from the first byte on.")
    private boolean http2;

    @Option(
            names = "--streams",
            paramLabel = "N",
            description = "With --http2: requests in flight at a time over each connection (1).")
    private Optional<String> streams = Optional.empty();

    @Option(
            names = "--slo",
            paramLabel = "LATENCY",
            description = "The latency to keep, such as 'p99 < 200ms'. The report says since when it was kept.")
    private Optional<String> slo = Optional.empty();

    @Option(
            names = "--feed",
            paramLabel = "FILE",
            description = "Values for requests, a row each: CSV with a header, or .jsonl. $${id} in the URL stands for"
                    + " the value of column id.")
    private Optional<String> feed = Optional.empty();

    @Option(
            names = "--replay",
            paramLabel = "FILE",
            description = "Send the requests of a HAR file or an access log, at their times, to the URL's host.")
    private Optional<String> replay = Optional.empty();

    @Option(
            names = "--success",
            paramLabel = "STATUSES",
            description = "Statuses that count as success, such as 2xx,404 (2xx).")
    private Optional<String> success = Optional.empty();

    @Option(
            names = "--load-from",
            paramLabel = "PLACE",
            description =
                    "Where Kiln's load driver runs, if not here: a machine as ssh takes it, kube:NAMESPACE/POD, or a command"
                            + " such as 'podman exec -i NAME'. The URL is then meant there.")
    private Optional<String> loadFrom = Optional.empty();

    @Option(
            names = "--variant",
            paramLabel = "NAME=JVM FLAGS",
            description = "Add a variant: a name and the JVM flags to add. The command without them is called"
                    + " baseline. May be repeated.")
    private List<String> variants = List.of();

    @Option(names = "--only-variants", description = "Leave the baseline out.")
    private boolean onlyVariants;

    @Option(
            names = "--with",
            paramLabel = "NAME=MODIFIERS",
            description = "Modifiers of a variant, such as quota=cpu-quota:1.5,xbatch. May be repeated.")
    private List<String> modifiers = List.of();

    @Option(names = "--jdk", description = "The JDK to launch with: a version or a home.")
    private Optional<String> jdk = Optional.empty();

    @Option(names = "--cpus", description = "CPUs of each part: auto, or target=0-3,load=4,database=5.")
    private Optional<String> cpus = Optional.empty();

    @Option(names = "--env", paramLabel = "NAME=VALUE", description = "Added to the environment. May be repeated.")
    private List<String> environment = List.of();

    @Option(
            names = "--ready",
            description = "What shows that it has started: a URL, port:8080 or log:REGEX (its first good response).")
    private Optional<String> ready = Optional.empty();

    @Option(names = "--ready-timeout", description = "How long to wait for that (120s).")
    private Optional<String> readyTimeout = Optional.empty();

    @Option(names = "--name", description = "Name of the experiment (run).")
    private String name = "run";

    /** Returns the URL; if it is present, there is no experiment file. */
    Optional<String> url() {
        return url;
    }

    /** Tells whether the service runs already. */
    boolean attaches() {
        return attach.isPresent();
    }

    /** Returns the experiment of a command with a {@link #url}. */
    Experiment experiment(List<String> command, List<Integer> connections) {
        return new FlagExperiment(Path.of("").toAbsolutePath(), command)
                .with(ServiceFlag.NAME, name)
                .with(ServiceFlag.ATTACH, attach)
                .with(ServiceFlag.REPLICAS, replicas)
                .with(ServiceFlag.VIA, via)
                .with(ServiceFlag.RESTART, restart)
                .with(ServiceFlag.STOP, stop)
                .with(ServiceFlag.ENVIRONMENT, environment)
                .with(ServiceFlag.JDK, jdk)
                .with(ServiceFlag.READY, ready)
                .with(ServiceFlag.READY_TIMEOUT, readyTimeout)
                .with(ServiceFlag.VARIANT, variants)
                .with(ServiceFlag.ONLY_VARIANTS, onlyVariants)
                .with(ServiceFlag.MODIFIERS, modifiers)
                .with(ServiceFlag.CPUS, cpus)
                .with(ServiceFlag.URL, url)
                .with(ServiceFlag.METHOD, method)
                .with(ServiceFlag.HEADER, headers)
                .with(ServiceFlag.BODY, body)
                .with(
                        ServiceFlag.CONNECTIONS,
                        connections.stream().map(String::valueOf).toList())
                .with(ServiceFlag.RATE, rate)
                .with(ServiceFlag.TIMEOUT, timeout)
                .with(ServiceFlag.SLO, slo)
                .with(ServiceFlag.CA, ca)
                .with(ServiceFlag.INSECURE, insecure)
                .with(ServiceFlag.HTTP2, http2)
                .with(ServiceFlag.STREAMS, streams)
                .with(ServiceFlag.ARRIVALS, arrivals)
                .with(ServiceFlag.FEED, feed)
                .with(ServiceFlag.REPLAY, replay)
                .with(ServiceFlag.SUCCESS, success)
                .with(ServiceFlag.LOAD_FROM, loadFrom)
                .toExperiment();
    }
}
