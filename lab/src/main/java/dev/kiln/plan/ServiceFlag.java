package dev.kiln.plan;

import dev.kiln.plan.text.Node.Scalar;
import dev.kiln.plan.text.Node.ScalarKind;
import dev.kiln.plan.text.Spot;

/** A ServiceFlag is a flag that describes the service, its variants or its load. */
public enum ServiceFlag {
    NAME("--name"),
    /** A PID, {@code port:PORT}, a container's name or {@code kube:NAMESPACE/POD} stands behind it. */
    ATTACH("--attach"),
    /** The number of pods of the deployment that serve behind one address stands behind it. */
    REPLICAS("--replicas"),
    /** A command stands behind it, as a shell takes it. */
    VIA("--via"),
    RESTART("--restart"),
    STOP("--stop"),
    /** Each is {@code NAME=value}. */
    ENVIRONMENT("--env"),
    JDK("--jdk"),
    /** A URL, {@code port:PORT} or {@code log:REGEX} stands behind it. */
    READY("--ready"),
    READY_TIMEOUT("--ready-timeout"),
    /** Each is {@code name=JVM flags}; a variant {@code baseline} without flags comes before them. */
    VARIANT("--variant"),
    /** The flag leaves that baseline out. */
    ONLY_VARIANTS("--only-variants"),
    /** Each is {@code name=modifier,...} of a variant, which need not be among the others. */
    MODIFIERS("--with"),
    /** {@code auto} stands behind it, or {@code target=0-3,load=4,5,database=6}. */
    CPUS("--cpus"),
    URL("--url"),
    METHOD("--method"),
    /** Each is {@code NAME: VALUE}. */
    HEADER("--header"),
    BODY("--body"),
    /** Several are a sweep. */
    CONNECTIONS("--connections"),
    RATE("--rate"),
    TIMEOUT("--timeout"),
    SLO("--slo"),
    CA("--ca"),
    INSECURE("--insecure"),
    HTTP2("--http2"),
    STREAMS("--streams"),
    ARRIVALS("--arrivals"),
    FEED("--feed"),
    REPLAY("--replay"),
    SUCCESS("--success"),
    /** A machine, a pod or a command stands behind it. */
    LOAD_FROM("--load-from");

    private final String option;

    ServiceFlag(String option) {
        this.option = option;
    }

    Spot at() {
        return new Spot.OfFlag(option);
    }

    /** Returns a value of this flag. */
    Scalar scalar(String text) {
        return new Scalar(ScalarKind.ARGUMENT, text, at());
    }
}
