package dev.kiln.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.model.run.Sample.ThreadRole;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ThreadRolesTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    C1 CompilerThre | C1
                    C2 CompilerThre | C2
                    GC Thread#0     | GC
                    G1 Service      | GC
                    G1 Conc#0       | GC
                    G1 Main Marker  | GC
                    G1 Refine#0     | GC
                    ZWorkerYoung#0  | GC
                    Shenandoah GC T | GC
                    VM Thread       | VM
                    VM Periodic Tas | VM
                    Signal Dispatch | VM
                    Service Thread  | VM
                    Monitor Deflati | VM
                    Notification Th | VM
                    Common-Cleaner  | VM
                    Reference Handl | VM
                    Finalizer       | VM
                    JFR Recorder Th | VM
                    Attach Listener | VM
                    http-nio-8080-e | WORKER
                    http-nio-8080-P | IO
                    http-nio-8080-A | IO
                    http-nio-80-exe | WORKER
                    http-nio-80-Pol | IO
                    http-nio-10080- | WORKER
                    https-jsse-nio- | WORKER
                    executor-thread | WORKER
                    ForkJoinPool-1- | WORKER
                    vert.x-eventloo | IO
                    vert.x-acceptor | IO
                    vert.x-worker-t | WORKER
                    nioEventLoopGro | IO
                    multiThreadIoEv | IO
                    reactor-http-ep | IO
                    qtp1234567890-2 | WORKER
                    XNIO-1 task-1   | WORKER
                    XNIO-1 I/O-2    | IO
                    default task-1  | WORKER
                    default I/O-1   | IO
                    pool-1-thread-1 | WORKER
                    HTTP-Dispatcher | IO
                    Read-Poller     | IO
                    HikariPool-1 ho | OTHER
                    HikariPool-1:co | OTHER
                    agroal-11       | OTHER
                    java            | OTHER
                    sleep           | OTHER
                    scheduling-1    | OTHER
                    """)
    void byName(String name, ThreadRole role) {
        assertThat(ThreadRoles.of(name)).isEqualTo(role);
    }

    /** As JDK 26 and 27 name them. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    C1 Comp..hread0 | C1
                    C2 Comp..hread0 | C2
                    GC Thread#0     | GC
                    G1 Refi..kers#0 | GC
                    G1 Refi..ontrol | GC
                    ZWorkerYoung#0  | GC
                    RuntimeWorker#0 | GC
                    Shenand..eads#0 | GC
                    VM Peri..Thread | VM
                    Signal ..atcher | VM
                    Monitor..Thread | VM
                    Notific..Thread | VM
                    Referen..andler | VM
                    JFR Rec..Thread | VM
                    http-ni..exec-1 | WORKER
                    http-ni..xec-99 | WORKER
                    http-ni..Poller | IO
                    http-ni..ceptor | IO
                    executo..read-1 | WORKER
                    ForkJoi..rker-1 | WORKER
                    catalin..xec-10 | WORKER
                    Catalin..lity-1 | OTHER
                    vert.x-..read-0 | IO
                    multiTh..up-2-1 | IO
                    nioEven..p-2-10 | IO
                    default..up-1-2 | IO
                    default..sk-100 | WORKER
                    reactor..poll-1 | IO
                    pool-1-..ead-10 | WORKER
                    pool-10..read-1 | WORKER
                    grpc-de..LG-1-1 | IO
                    grpc-de..utor-0 | WORKER
                    applica..cher-5 | WORKER
                    HikariP..keeper | OTHER
                    HikariP..-adder | OTHER
                    """)
    void byNameWithoutItsMiddle(String name, ThreadRole role) {
        assertThat(ThreadRoles.of(name)).isEqualTo(role);
    }
}
