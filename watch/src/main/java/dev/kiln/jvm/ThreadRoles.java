package dev.kiln.jvm;

import dev.kiln.model.run.Sample.ThreadRole;
import java.util.List;
import java.util.regex.Pattern;

/**
 * ThreadRoles tell the role of a thread by its name. The kernel has 15 bytes for it: {@code C2 CompilerThread0} is
 * {@code C2 CompilerThre}. From JDK 26 on the JVM leaves out the middle of a longer one: {@code C2 Comp..hread0}.
 */
public final class ThreadRoles {
    private record RoleRule(ThreadRole role, Pattern name) {}

    /** The first rule that matches the beginning of a name decides. */
    private static final List<RoleRule> RULES = List.of(
            rule(ThreadRole.C1, "C1 Comp"),
            // Graal as the JIT takes C2's place.
            rule(ThreadRole.C2, "C2 Comp|JVMCI"),
            rule(
                    ThreadRole.GC,
                    "GC Thread#|G1 |Par(allel)? ?GC|ZWorker|ZDriver|ZDirector|ZStat|ZUncommit|ZUnmapper|ZService|ZReloca"
                            + "|XWorker|XDriver|XDirector|XStat|XUncommit|RuntimeWorker|Runtime\\.\\.|Shenand|Epsilon"),
            rule(
                    ThreadRole.VM,
                    "VM Thread|VM Peri|VM Op|Signal (Dispatch|\\.\\.)|Service Thread|Monitor( Defl|\\.\\.)|Notific(ation T|\\.\\.)"
                            + "|Common-Cleaner|Referen(ce Hand|\\.\\.)|Finalizer|Attach Listen|JFR |StringD(edup|\\.\\.)|AsyncLog"
                            + "|Sweeper thread|Cleaner-|DestroyJavaVM|Unified( Logging|\\.\\.)|Trainin"),
            rule(
                    ThreadRole.IO,
                    // Tomcat
                    "https?-.*(-(A|Ac.*|P|Po.*|B|Bl.*)|\\.\\.(Poller|ceptor))$"
                            // Netty in its own names and those of Vert.x, Reactor, Micronaut, gRPC
                            + "|vert\\.x-eventloo|vert\\.x-acceptor|vert\\.x-\\.\\.|(nio|epoll|kqueue|default-nio|multiThreadIo)E"
                            + "|(nioEven|epollEv|kqueueE|multiTh)\\.\\.|default\\.\\..*-\\d+-\\d+$"
                            + "|reactor(-http|-tcp|\\.\\.)|grpc-default-wo|grpc-de\\.\\..*G-\\d|netty"
                            // Undertow, WildFly, the JDK's own server, virtual threads' pollers
                            + "|XNIO-\\d+ (I/O|Acc)|default (I/O|Acc)|HTTP-Dispatcher|(Read|Write|Master)-?Poll"),
            rule(
                    ThreadRole.WORKER,
                    "https?-|tomcat-|catalin(a-exec|\\.\\.)|executo(r-thread|\\.\\.)|vert\\.x-worker|ForkJoi|XNIO-\\d+ task"
                            + "|default task|default\\.\\.|qtp|pool-\\d+(-thr|-?\\.\\.)|virtual(-thread|\\.\\.)|task-|io-exec"
                            + "|grpc-de|helidon|bounded(Elastic|\\.\\.)|parallel-|jetty-|http4s|.*(akka|pekko)\\.act"
                            + "|.*\\.\\.c?her-\\d+$"));

    private ThreadRoles() {}

    /** Returns the role of a thread of that name, cut or not. */
    public static ThreadRole of(String name) {
        for (RoleRule rule : RULES) {
            if (rule.name().matcher(name).lookingAt()) {
                return rule.role();
            }
        }
        return ThreadRole.OTHER;
    }

    /** Tells whether a thread of that name compiles. */
    public static boolean isCompiler(String name) {
        ThreadRole role = of(name);
        return role == ThreadRole.C1 || role == ThreadRole.C2;
    }

    private static RoleRule rule(ThreadRole role, String beginnings) {
        return new RoleRule(role, Pattern.compile(beginnings));
    }
}
