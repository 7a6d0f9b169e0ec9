package dev.kiln.jvm;

import dev.kiln.model.run.Sample.ThreadRole;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The role of a thread, by its name. The kernel cuts names to 15 bytes: {@code C2 CompilerThread0} is {@code C2
 * CompilerThre}.
 */
public final class ThreadRoles {
    private record Rule(ThreadRole role, Pattern name) {}

    /** The first rule that matches the beginning of a name decides. */
    private static final List<Rule> RULES = List.of(
            rule(ThreadRole.C1, "C1 Compiler"),
            // Graal as the JIT takes C2's place.
            rule(ThreadRole.C2, "C2 Compiler|JVMCI"),
            rule(
                    ThreadRole.GC,
                    "GC Thread#|G1 |Par(allel)? ?GC|ZWorker|ZDriver|ZDirector|ZStat|ZUncommit|ZUnmapper|ZService|ZRelocat"
                            + "|XWorker|XDriver|XDirector|XStat|XUncommit|RuntimeWorker|Shenandoah|Epsilon"),
            rule(
                    ThreadRole.VM,
                    "VM Thread|VM Periodic|VM Op|Signal Dispatch|Service Thread|Monitor Defl|Notification T|Common-Cleaner"
                            + "|Reference Hand|Finalizer|Attach Listen|JFR |StringDedup|AsyncLog|Sweeper thread"
                            + "|Cleaner-|DestroyJavaVM|Unified Logging|Training"),
            rule(
                    ThreadRole.IO,
                    // Tomcat
                    "https?-.*-(A|Ac.*|P|Po.*|B|Bl.*)$"
                            // Netty in its own names and those of Vert.x, Reactor, Micronaut, gRPC
                            + "|vert\\.x-eventloo|vert\\.x-acceptor|(nio|epoll|kqueue|default-nio|multiThreadIo)E"
                            + "|reactor-http|reactor-tcp|grpc-default-wo|netty"
                            // Undertow, WildFly, the JDK's own server, virtual threads' pollers
                            + "|XNIO-\\d+ (I/O|Acc)|default (I/O|Acc)|HTTP-Dispatcher|(Read|Write|Master)-?Poll"),
            rule(
                    ThreadRole.WORKER,
                    "https?-|tomcat-|catalina-exec|executor-thread|vert\\.x-worker|ForkJoinPool|XNIO-\\d+ task|default task"
                            + "|qtp|pool-\\d+-thr|virtual-thread|task-|io-executor|grpc-default-ex|helidon|boundedElastic"
                            + "|parallel-|jetty-|http4s|.*(akka|pekko)\\.act"));

    private ThreadRoles() {}

    /** The role of a thread of that name, cut or not. */
    public static ThreadRole of(String name) {
        for (Rule rule : RULES) {
            if (rule.name().matcher(name).lookingAt()) {
                return rule.role();
            }
        }
        return ThreadRole.OTHER;
    }

    /** Whether a thread of that name compiles. */
    public static boolean isCompiler(String name) {
        ThreadRole role = of(name);
        return role == ThreadRole.C1 || role == ThreadRole.C2;
    }

    private static Rule rule(ThreadRole role, String beginnings) {
        return new Rule(role, Pattern.compile(beginnings));
    }
}
