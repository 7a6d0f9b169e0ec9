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
}
