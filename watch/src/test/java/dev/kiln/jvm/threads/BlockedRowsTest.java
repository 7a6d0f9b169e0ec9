package dev.kiln.jvm.threads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.Mutations;
import dev.kiln.jvm.threads.DumpedThread.KernelThread;
import dev.kiln.model.run.Sample.BlockedSample;
import dev.kiln.model.run.WaitKind;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** On what the JVMs of the files' names answered while a small program waited in every way. */
class BlockedRowsTest {
    /** These rows are the same in all versions. */
    private static final List<String> EVERYWHERE = List.of(
            "exec p 3 MONITOR Blocked.enter:20 | java.lang.Object, held by holder at Blocked.hold:19",
            "holder p 1 SLEEP Blocked.hold:19 | ",
            "waiter p 1 CONDITION Blocked.lambda$main$0:28 | java.lang.Object",
            "semaphore p 1 PARK Blocked.lambda$main$1:29 | java.util.concurrent.Semaphore$NonfairSync",
            "reentrant p 1 PARK Blocked.lambda$main$3:32 | java.util.concurrent.locks.ReentrantLock$NonfairSync",
            "condition p 1 CONDITION Blocked.holdReentrant:21 |"
                    + " java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject",
            "queue p 1 QUEUE Blocked.lambda$main$4:34 | java.util.concurrent.LinkedBlockingQueue",
            "queue-poll p 1 QUEUE Blocked.lambda$main$5:35 | java.util.concurrent.LinkedBlockingQueue",
            "future p 1 TASK Blocked.lambda$main$6:36 | java.util.concurrent.CompletableFuture$Signaller",
            "latch p 1 PARK Blocked.lambda$main$7:37 | java.util.concurrent.CountDownLatch$Sync",
            "sleeper p 1 SLEEP Blocked.lambda$main$8:38 | ",
            "socket p 1 SOCKET Blocked.lambda$main$11:41 | read",
            "classinit p 1 CLASS_INIT Blocked.lambda$main$14:45 |"
                    + " Blocked$Slow, held by classinit at Blocked$Slow.sleepIn:16",
            "spinner p 1 RUNNABLE Blocked.lambda$main$15:46 | ",
            "odd \"name\", ünï p 1 SLEEP Blocked.lambda$main$16:47 | ");

    private static final List<String> WITHOUT_A_REQUEST = List.of(
            "pool-1-thread",
            "pool-2-thread",
            "pool-3-thread",
            "ForkJoinPool-1-worker",
            "selector",
            "HTTP-Dispatcher",
            "idle-timeout-task",
            "Reference Handler",
            "Finalizer",
            "Common-Cleaner",
            "Signal Dispatcher",
            "C2 CompilerThread",
            "Attach Listener");

    @ParameterizedTest
    @ValueSource(strings = {"17.0.15", "21.0.8", "25.0.3"})
    void platformThreadsAreToldApart(String version) throws IOException {
        List<DumpedThread> print = ThreadPrint.parse(text("print-" + version + ".txt"));
        List<BlockedSample> rows = BlockedRows.of(7, print, List.of());
        assertThat(rows).extracting(BlockedRowsTest::shown).containsAll(EVERYWHERE);
        assertThat(rows)
                .filteredOn(row -> WITHOUT_A_REQUEST.contains(row.pool()))
                .hasSize(WITHOUT_A_REQUEST.size())
                .extracting(BlockedSample::kind)
                .containsOnly(WaitKind.IDLE);
        assertThat(rows).extracting(BlockedSample::timeNanos).containsOnly(7L);
        // No thread is lost, and none is counted twice. The one that is mounted on a carrier is no platform thread.
        assertThat(rows.stream().mapToInt(BlockedSample::threads).sum())
                .isEqualTo(print.stream().filter(thread -> !thread.virtual()).count());
    }

    /** JDK 21 does not tell who waits to enter a monitor: such a virtual thread looks as if it ran. */
    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
            21.0.8; ' v 3 RUNNABLE Virtuals.lambda$start$1:9 | '
            21.0.8; ' v 2 PARK Virtuals.lambda$start$2:10 | java.util.concurrent.Semaphore'
            21.0.8; 'ForkJoinPool-2-worker p 1 PINNED Virtuals.lambda$start$5:13 | CONDITION'
            25.0.3; ' v 3 MONITOR Virtuals.lambda$start$1:9 | java.lang.Object, held by an unnamed thread at Virtuals.lambda$start$0:7'
            25.0.3; ' v 2 PARK Virtuals.lambda$start$2:10 | java.util.concurrent.Semaphore$NonfairSync'
            25.0.3; ' v 1 CONDITION Virtuals.lambda$start$5:13 | java.lang.Object'
            21.0.8; ' v 1 QUEUE Virtuals.lambda$start$3:11 | java.util.concurrent.LinkedBlockingQueue'
            25.0.3; ' v 1 QUEUE Virtuals.lambda$start$3:11 | java.util.concurrent.LinkedBlockingQueue'
            21.0.8; ' v 1 SOCKET Virtuals.lambda$start$9:17 | read'
            25.0.3; ' v 1 SOCKET Virtuals.lambda$start$9:17 | read'
            21.0.8; 'named v 1 SLEEP Virtuals.lambda$start$10:18 | '
            25.0.3; 'named v 1 SLEEP Virtuals.lambda$start$10:18 | '
            21.0.8; 'ForkJoinPool-2-worker p 1 PINNED Virtuals.lambda$start$0:7 | SLEEP'
            21.0.8; 'ForkJoinPool-2-worker p 1 PINNED Virtuals$SlowV.<clinit>:4 | PARK java.util.concurrent.Semaphore'
            25.0.3; 'ForkJoinPool-2-worker p 1 PINNED Virtuals$SlowV.<clinit>:4 | PARK java.util.concurrent.Semaphore'
            21.0.8; 'ForkJoinPool-2-worker p 1 RUNNABLE Virtuals.lambda$start$8:16 | '
            25.0.3; 'ForkJoinPool-2-worker p 1 RUNNABLE Virtuals.lambda$start$8:16 | '
            21.0.8; 'Read-Updater p 1 IDLE  | '
            25.0.3; 'SubPoller v 3 IDLE  | '
            """)
    void virtualThreadsAndTheirCarriersAreToldApart(String version, String row) throws IOException {
        List<DumpedThread> print = ThreadPrint.parse(text("print-" + version + ".txt"));
        List<DumpedThread> file =
                ThreadJson.parse(bytes("file-" + version + ".json")).orElseThrow();
        assertThat(BlockedRows.of(7, print, file))
                .extracting(BlockedRowsTest::shown)
                .contains(row);
    }

    /** Threads of services that throw, reflect, load classes, or leave compiled code by exceptions of the JVM's own. */
    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
            17.0.15; exceptions p 2 RUNNABLE dev.kiln.fixtures.faults.Throwing.lambda$deep$1:24 | exceptions
            17.0.15; 'exceptions p 1 RUNNABLE dev.kiln.fixtures.faults.Throwing.descend:34 | '
            17.0.15; exceptions p 1 RUNNABLE dev.kiln.fixtures.faults.Throwing.descend:36 | exceptions
            17.0.15; 'exceptions p 1 SOCKET dev.kiln.fixtures.faults.BlockingServer$$Lambda$69.write | write'
            17.0.15; reflection p 1 RUNNABLE dev.kiln.fixtures.faults.Reflecting.lambda$answer$0:23 | reflection
            17.0.15; classes p 1 RUNNABLE dev.kiln.fixtures.faults.Loading.initialise:51 | class-loading
            17.0.15; implicit-exceptions p 1 RUNNABLE dev.kiln.fixtures.faults.Throwing.at:58 | exceptions
            25.0.3; exceptions p 2 RUNNABLE dev.kiln.fixtures.faults.Throwing.lambda$deep$1:24 | exceptions
            25.0.3; reflection p 2 RUNNABLE dev.kiln.fixtures.faults.Reflecting.lambda$answer$0:22 | reflection
            25.0.3; reflection p 1 RUNNABLE dev.kiln.fixtures.faults.Reflecting.lambda$answer$0:23 | reflection
            25.0.3; classes p 1 RUNNABLE dev.kiln.fixtures.faults.Loading$Fresh.<init>:14 | class-loading
            """)
    void aRunningThreadHasTheFamilyOfItsCode(String version, String row) throws IOException {
        assertThat(BlockedRows.of(7, ThreadPrint.parse(text("families-" + version + ".txt")), List.of()))
                .extracting(BlockedRowsTest::shown)
                .contains(row);
    }

    /** The JVM writes the library's frames as they are here; the library itself is not started. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            Tomcat's worker | jdk.internal.misc.Unsafe.park(Native Method) java.util.concurrent.LinkedBlockingQueue.poll(L.java:1) org.apache.tomcat.util.threads.TaskQueue.poll(T.java:2) java.lang.Thread.run(T.java:3) | IDLE |
            Jetty's worker | jdk.internal.misc.Unsafe.park(Native Method) org.eclipse.jetty.util.BlockingArrayQueue.poll(B.java:1) org.eclipse.jetty.util.thread.QueuedThreadPool$Runner.run(Q.java:2) | IDLE |
            Jetty in WireMock's package | jdk.internal.misc.Unsafe.park(Native Method) wiremock.org.eclipse.jetty.util.BlockingArrayQueue.poll(B.java:1) wiremock.org.eclipse.jetty.util.thread.QueuedThreadPool$Runner.run(Q.java:2) | IDLE |
            Netty in another package | sun.nio.ch.EPoll.wait(Native Method) com.acme.shaded.io.netty.channel.epoll.Native.epollWait(Native Method) com.acme.shaded.io.netty.channel.epoll.EpollEventLoop.run(E.java:2) | IDLE |
            Netty's loop | sun.nio.ch.EPoll.wait(Native Method) sun.nio.ch.SelectorImpl.select(S.java:1) io.netty.channel.nio.NioEventLoop.run(N.java:2) | IDLE |
            Netty's epoll | io.netty.channel.epoll.Native.epollWait(Native Method) io.netty.channel.epoll.EpollEventLoop.run(E.java:2) | IDLE |
            an event of Netty | com.acme.Handler.read(H.java:1) io.netty.channel.epoll.EpollEventLoop.run(E.java:2) | RUNNABLE |
            the next request | sun.nio.ch.SocketDispatcher.read0(Native Method) sun.nio.ch.NioSocketImpl.read(N.java:1) sun.net.httpserver.Request.readLine(R.java:2) java.lang.Thread.run(T.java:3) | IDLE |
            a connection's next request | sun.nio.ch.SocketDispatcher.read0(Native Method) java.net.Socket$SocketInputStream.read(S.java:1) org.apache.coyote.http11.Http11InputBuffer.fill(H.java:2) java.lang.Thread.run(T.java:3) | IDLE |
            a body | sun.nio.ch.SocketDispatcher.read0(Native Method) java.net.Socket$SocketInputStream.read(S.java:1) org.apache.coyote.http11.Http11InputBuffer.fill(H.java:2) com.acme.Upload.post(U.java:3) | SOCKET | read
            an unknown server | sun.nio.ch.SocketDispatcher.read0(Native Method) java.net.Socket$SocketInputStream.read(S.java:1) com.acme.Server.parse(S.java:3) | SOCKET | read
            a connect | sun.nio.ch.Net.poll(Native Method) sun.nio.ch.NioSocketImpl.park(N.java:1) sun.nio.ch.NioSocketImpl.timedFinishConnect(N.java:2) java.net.Socket.connect(S.java:3) com.acme.Pool.get(P.java:4) | CONNECT |
            an accept | sun.nio.ch.Net.accept(Native Method) sun.nio.ch.NioSocketImpl.accept(N.java:2) java.net.ServerSocket.accept(S.java:3) com.acme.Server.run(P.java:4) | IDLE |
            JDK's HTTP client | jdk.internal.misc.Unsafe.park(Native Method) java.util.concurrent.CompletableFuture.get(C.java:1) jdk.internal.net.http.HttpClientImpl.send(H.java:2) com.acme.Api.call(A.java:3) | SOCKET | send
            a name | java.net.Inet6AddressImpl.lookupAllHostAddr(Native Method) java.net.InetAddress.getByName(I.java:1) com.acme.Api.call(A.java:3) | NAME_LOOKUP |
            a sync to disk | sun.nio.ch.UnixFileDispatcherImpl.force0(Native Method) sun.nio.ch.FileChannelImpl.force(F.java:1) com.acme.Log.commit(L.java:3) | FILE | force
            a file | java.io.FileInputStream.readBytes(Native Method) java.io.FileInputStream.read(F.java:1) com.acme.Page.load(P.java:3) | FILE | read
            a pool of connections | jdk.internal.misc.Unsafe.park(Native Method) java.util.concurrent.SynchronousQueue.poll(S.java:1) com.zaxxer.hikari.util.ConcurrentBag.borrow(C.java:2) com.acme.Dao.find(D.java:3) | QUEUE | java.util.concurrent.SynchronousQueue
            a soft reference | java.lang.ref.SoftReference.get(S.java:1) com.acme.Cache.get(C.java:2) | RUNNABLE |
            an exception | java.lang.Throwable.fillInStackTrace(Native Method) java.lang.Throwable.<init>(T.java:1) com.acme.No.<init>(N.java:2) com.acme.Api.call(A.java:3) | RUNNABLE | exceptions
            a line of a log | java.lang.String.format(S.java:1) ch.qos.logback.classic.Logger.info(L.java:2) com.acme.Api.call(A.java:3) | RUNNABLE | logging
            compressing | java.util.zip.Deflater.deflateBytesBytes(Native Method) java.util.zip.Deflater.deflate(D.java:1) com.acme.Zip.out(Z.java:2) | RUNNABLE |
            """)
    void theFramesOfServersAndLibrariesSayWhatAThreadDoes(String what, String frames, WaitKind kind, String detail) {
        assertOneRow(what, "RUNNABLE", frames, kind, detail);
    }

    /** Likewise. What waits in them may be an own class of the program. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            room for a direct buffer | TIMED_WAITING | java.lang.Thread.sleep(Native Method) java.nio.Bits.reserveMemory(B.java:1) java.nio.DirectByteBuffer.<init>(D.java:2) com.acme.Page.get(P.java:3) | OTHER | direct memory
            a handler that another thread writes with | BLOCKED | java.util.logging.StreamHandler.publish(S.java:1) java.util.logging.Logger.log(L.java:2) com.acme.Page.get(P.java:3) | LOGGING | MONITOR
            a handler of the program | BLOCKED | com.acme.Lines.publish(L.java:1) java.util.logging.Logger.log(L.java:2) com.acme.Page.get(P.java:3) | LOGGING | MONITOR
            its stream | TIMED_WAITING | java.lang.Thread.sleep(Native Method) com.acme.Slow.flush(S.java:1) sun.nio.cs.StreamEncoder.flush(S.java:2) java.util.logging.StreamHandler.flush(S.java:3) com.acme.Lines.publish(L.java:4) java.util.logging.Logger.log(L.java:5) com.acme.Page.get(P.java:6) | LOGGING | SLEEP
            Logback's file | RUNNABLE | java.io.FileOutputStream.writeBytes(Native Method) java.io.FileOutputStream.write(F.java:1) ch.qos.logback.core.OutputStreamAppender.writeBytes(O.java:2) com.acme.Page.get(P.java:3) | LOGGING | FILE write
            Logback's queue that is full | WAITING | jdk.internal.misc.Unsafe.park(Native Method) java.util.concurrent.ArrayBlockingQueue.put(A.java:1) ch.qos.logback.core.AsyncAppenderBase.put(A.java:2) com.acme.Page.get(P.java:3) | LOGGING | FULL_QUEUE java.util.concurrent.ArrayBlockingQueue
            Logback's writer without a line | WAITING | jdk.internal.misc.Unsafe.park(Native Method) java.util.concurrent.ArrayBlockingQueue.take(A.java:1) ch.qos.logback.core.AsyncAppenderBase$Worker.run(A.java:2) | IDLE |
            Log4j's ring that is full | TIMED_WAITING | jdk.internal.misc.Unsafe.park(Native Method) java.util.concurrent.locks.LockSupport.parkNanos(L.java:1) com.lmax.disruptor.MultiProducerSequencer.next(M.java:2) com.lmax.disruptor.RingBuffer.publishEvent(R.java:3) org.apache.logging.log4j.core.async.AsyncLoggerDisruptor.publish(A.java:4) com.acme.Page.get(P.java:5) | LOGGING | FULL_QUEUE com.lmax.disruptor.MultiProducerSequencer
            Log4j's writer without a line | TIMED_WAITING | java.lang.Object.wait(Native Method) com.lmax.disruptor.TimeoutBlockingWaitStrategy.waitFor(T.java:1) com.lmax.disruptor.BatchEventProcessor.run(B.java:2) | IDLE |
            Log4j's dispatcher without a line | WAITING | jdk.internal.misc.Unsafe.park(Native Method) java.util.concurrent.ArrayBlockingQueue.take(A.java:1) org.apache.logging.log4j.core.appender.AsyncAppenderEventDispatcher.dispatchAll(A.java:2) | IDLE |
            an answer that a line tells of | RUNNABLE | sun.nio.ch.SocketDispatcher.read0(Native Method) sun.nio.ch.NioSocketImpl.read(N.java:1) com.acme.Api.toString(A.java:2) java.util.logging.Logger.log(L.java:3) com.acme.Page.get(P.java:4) | SOCKET | read
            a filter of a logger | WAITING | jdk.internal.misc.Unsafe.park(Native Method) java.util.concurrent.Semaphore.acquire(S.java:1) com.acme.Dao.find(D.java:2) com.acme.Chain.doFilter(C.java:3) org.apache.logging.log4j.web.Log4jServletFilter.doFilter(L.java:4) | PARK | java.util.concurrent.Semaphore
            Guava's limiter | TIMED_WAITING | java.lang.Thread.sleep(Native Method) java.util.concurrent.TimeUnit.sleep(T.java:1) com.google.common.util.concurrent.Uninterruptibles.sleepUninterruptibly(U.java:2) com.google.common.util.concurrent.RateLimiter$SleepingStopwatch$1.sleepMicrosUninterruptibly(R.java:3) com.google.common.util.concurrent.RateLimiter.acquire(R.java:4) com.acme.Api.call(A.java:5) | RATE_LIMIT | SLEEP
            Resilience4j's limiter | TIMED_WAITING | jdk.internal.misc.Unsafe.park(Native Method) java.util.concurrent.locks.LockSupport.parkNanos(L.java:1) io.github.resilience4j.ratelimiter.internal.AtomicRateLimiter.waitForPermission(A.java:2) com.acme.Api.call(A.java:3) | RATE_LIMIT | SLEEP parkNanos
            Bucket4j | TIMED_WAITING | jdk.internal.misc.Unsafe.park(Native Method) java.util.concurrent.locks.LockSupport.parkNanos(L.java:1) io.github.bucket4j.BlockingStrategy$1.park(B.java:2) com.acme.Api.call(A.java:3) | RATE_LIMIT | SLEEP parkNanos
            a limiter of the program | BLOCKED | com.acme.ApiRateLimiter.acquire(A.java:1) com.acme.Api.call(A.java:2) | RATE_LIMIT | MONITOR
            its buckets | WAITING | jdk.internal.misc.Unsafe.park(Native Method) java.util.concurrent.Semaphore.acquire(S.java:1) com.acme.Limits$TokenBucket.take(L.java:2) | RATE_LIMIT | PARK java.util.concurrent.Semaphore
            a limiter that asks another service | RUNNABLE | sun.nio.ch.SocketDispatcher.read0(Native Method) sun.nio.ch.NioSocketImpl.read(N.java:1) com.acme.RateLimiter.ask(R.java:2) | SOCKET | read
            a client that is limited | WAITING | jdk.internal.misc.Unsafe.park(Native Method) java.util.concurrent.Semaphore.acquire(S.java:1) com.acme.RateLimitedClient.call(R.java:2) | PARK | java.util.concurrent.Semaphore
            an answer in a limited client | WAITING | jdk.internal.misc.Unsafe.park(Native Method) java.util.concurrent.CompletableFuture.get(C.java:1) com.acme.RateLimiter.call(R.java:2) | TASK | java.util.concurrent.CompletableFuture
            a task of the JDK | WAITING | jdk.internal.misc.Unsafe.park(Native Method) java.util.concurrent.Semaphore.acquire(S.java:1) java.util.concurrent.FutureTask.run(F.java:2) java.util.concurrent.ThreadPoolExecutor.runWorker(T.java:3) | PARK | java.util.concurrent.ThreadPoolExecutor
            a limit without a name | TIMED_WAITING | jdk.internal.misc.Unsafe.park(Native Method) java.util.concurrent.locks.LockSupport.parkNanos(L.java:1) com.acme.Turns.next(T.java:2) com.acme.Api.call(A.java:3) | SLEEP | parkNanos
            parked for somebody | WAITING | jdk.internal.misc.Unsafe.park(Native Method) java.util.concurrent.locks.LockSupport.park(L.java:1) com.acme.Turns.next(T.java:2) | PARK | java.util.concurrent.locks.LockSupport
            a queue that is full | WAITING | jdk.internal.misc.Unsafe.park(Native Method) java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject.await(A.java:1) java.util.concurrent.LinkedBlockingQueue.put(L.java:2) com.acme.Jobs.add(J.java:3) | FULL_QUEUE | java.util.concurrent.LinkedBlockingQueue
            nobody takes it | TIMED_WAITING | jdk.internal.misc.Unsafe.park(Native Method) java.util.concurrent.SynchronousQueue$TransferQueue.xferLifo(S.java:1) java.util.concurrent.SynchronousQueue.offer(S.java:2) com.acme.Jobs.add(J.java:3) | FULL_QUEUE | java.util.concurrent.SynchronousQueue
            the lock of a queue | WAITING | jdk.internal.misc.Unsafe.park(Native Method) java.util.concurrent.locks.ReentrantLock.lock(R.java:1) java.util.concurrent.ScheduledThreadPoolExecutor$DelayedWorkQueue.offer(S.java:2) com.acme.Timer.add(T.java:3) | PARK | java.util.concurrent.ScheduledThreadPoolExecutor$DelayedWorkQueue
            a ring that is full | TIMED_WAITING | jdk.internal.misc.Unsafe.park(Native Method) java.util.concurrent.locks.LockSupport.parkNanos(L.java:1) com.lmax.disruptor.MultiProducerSequencer.next(M.java:2) com.lmax.disruptor.RingBuffer.publishEvent(R.java:3) com.acme.Page.get(P.java:4) | FULL_QUEUE | com.lmax.disruptor.MultiProducerSequencer
            Logback's writer at work | RUNNABLE | java.io.FileOutputStream.writeBytes(Native Method) ch.qos.logback.core.FileAppender.write(F.java:1) ch.qos.logback.core.AsyncAppenderBase$Worker.run(A.java:2) | IDLE |
            Log4j's writer at work | RUNNABLE | java.io.FileOutputStream.writeBytes(Native Method) org.apache.logging.log4j.core.appender.OutputStreamManager.write(O.java:1) com.lmax.disruptor.BatchEventProcessor.run(B.java:2) java.lang.Thread.run(T.java:3) | IDLE |
            a lock in Jetty's form | WAITING | jdk.internal.misc.Unsafe.park(Native Method) java.util.concurrent.locks.ReentrantLock.lock(R.java:1) org.eclipse.jetty.util.thread.AutoLock.lock(A.java:2) com.acme.Page.get(P.java:3) | PARK | java.util.concurrent.locks.ReentrantLock
            Jetty's worker without a task | TIMED_WAITING | jdk.internal.misc.Unsafe.park(Native Method) java.util.concurrent.SynchronousQueue.poll(S.java:1) org.eclipse.jetty.util.thread.QueuedThreadPool$Runner.run(Q.java:2) | IDLE |
            a virtual thread that connects | WAITING | java.lang.VirtualThread.park(V.java:1) java.lang.System$2.parkVirtualThread(S.java:2) java.util.concurrent.locks.LockSupport.park(L.java:3) sun.nio.ch.Poller.poll(P.java:4) sun.nio.ch.NioSocketImpl.park(N.java:5) sun.nio.ch.NioSocketImpl.timedFinishConnect(N.java:6) java.net.Socket.connect(S.java:7) com.acme.Api.open(A.java:8) | CONNECT |
            a virtual thread that writes | WAITING | java.lang.VirtualThread.park(V.java:1) java.lang.System$2.parkVirtualThread(S.java:2) sun.nio.ch.Poller.poll(P.java:4) sun.nio.ch.NioSocketImpl.park(N.java:5) sun.nio.ch.NioSocketImpl.implWrite(N.java:6) java.net.Socket$SocketOutputStream.write(S.java:7) com.acme.Api.send(A.java:8) | SOCKET | write
            a channel that connects | RUNNABLE | sun.nio.ch.Net.connect0(Native Method) sun.nio.ch.Net.connect(N.java:1) sun.nio.ch.SocketChannelImpl.connect(S.java:2) com.acme.Api.open(A.java:3) | CONNECT |
            a handshake | RUNNABLE | sun.nio.ch.SocketDispatcher.read0(Native Method) sun.nio.ch.NioSocketImpl.read(N.java:1) sun.security.ssl.SSLSocketImpl.startHandshake(S.java:2) sun.net.www.protocol.https.HttpsURLConnectionImpl.connect(H.java:3) com.acme.Api.open(A.java:4) | SOCKET | read
            """)
    void aLibrarySaysWhatAWaitInItIsFor(String what, String state, String frames, WaitKind kind, String detail) {
        assertOneRow(what, state, frames, kind, detail);
    }

    private static void assertOneRow(String what, String state, String frames, WaitKind kind, String detail) {
        StringBuilder text = new StringBuilder("\"worker-1\" #9 prio=5\n   java.lang.Thread.State: " + state + "\n");
        for (String frame : frames.split(" (?=[a-z])", -1)) {
            text.append("\tat ").append(frame).append('\n');
        }
        assertThat(BlockedRows.of(7, ThreadPrint.parse(text.toString()), List.of()))
                .as(what)
                .singleElement()
                .satisfies(row -> {
                    assertThat(row.kind()).isEqualTo(kind);
                    assertThat(row.detail()).isEqualTo(detail == null ? "" : detail);
                });
    }

    /** Only of what somebody may wait for: not what is repeated, and not what a pool just runs. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            com.acme.Batch.work(B.java:1) java.util.concurrent.FutureTask.run(F.java:2) java.util.concurrent.ThreadPoolExecutor.runWorker(T.java:3) java.lang.Thread.run(T.java:4) | java.util.concurrent.FutureTask
            com.acme.Batch.work(B.java:1) java.util.concurrent.FutureTask.run(F.java:2) java.lang.Thread.run(T.java:4) |
            com.acme.Batch.work(B.java:1) java.util.concurrent.FutureTask.runAndReset(F.java:2) java.util.concurrent.ScheduledThreadPoolExecutor$ScheduledFutureTask.run(S.java:3) java.util.concurrent.ThreadPoolExecutor.runWorker(T.java:4) |
            com.acme.Batch.work(B.java:1) java.util.concurrent.ThreadPoolExecutor.runWorker(T.java:3) java.lang.Thread.run(T.java:4) |
            java.util.concurrent.FutureTask.run(F.java:1) com.acme.Batch.work(B.java:2) java.util.concurrent.ThreadPoolExecutor.runWorker(T.java:3) |
            com.acme.Batch.work(B.java:1) java.util.concurrent.CompletableFuture$AsyncSupply.run(C.java:2) java.util.concurrent.CompletableFuture$AsyncSupply.exec(C.java:3) java.util.concurrent.ForkJoinPool.runWorker(F.java:4) | java.util.concurrent.CompletableFuture
            """)
    void aWorkersFutureIsToldFromTheFramesBelowItsTask(String frames, String task) {
        StringBuilder text = new StringBuilder("\"worker-1\" #9 prio=5\n   java.lang.Thread.State: RUNNABLE\n");
        for (String frame : frames.split(" (?=[a-z])", -1)) {
            text.append("\tat ").append(frame).append('\n');
        }
        assertThat(BlockedRows.of(7, ThreadPrint.parse(text.toString()), List.of()))
                .singleElement()
                .satisfies(row -> assertThat(row.task()).isEqualTo(task == null ? "" : task));
    }

    /** For a virtual thread no call of the system waits until a socket is ready: it only is where a dump finds it most. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            sun.nio.ch.SocketDispatcher.write0(java.base@25.0.3/Native Method) | RUNNABLE
            jdk.internal.misc.Unsafe.park(java.base@25.0.3/Native Method) | PINNED
            sun.nio.ch.Net.poll(java.base@25.0.3/Native Method) | PINNED
            """)
    void aVirtualThreadThatWritesToASocketKeepsItsCarrierOnlyWhereItWaits(String inner, WaitKind kind) {
        String print = "\"ForkJoinPool-1-worker-1\" #52 [3865] daemon prio=5\n   Carrying virtual thread #61\n"
                + "\tat jdk.internal.vm.Continuation.run(java.base@25.0.3/Continuation.java:251)\n"
                + "   Mounted virtual thread #61\n"
                + "\tat " + inner + "\n"
                + "\tat sun.nio.ch.NioSocketImpl.implWrite(java.base@25.0.3/NioSocketImpl.java:413)\n"
                + "\tat java.net.Socket$SocketOutputStream.write(java.base@25.0.3/Socket.java:1035)\n"
                + "\tat com.acme.Server.answer(Server.java:7)\n";

        assertThat(BlockedRows.of(7, ThreadPrint.parse(print), List.of()))
                .singleElement()
                .satisfies(row -> {
                    assertThat(row.kind()).isEqualTo(kind);
                    assertThat(row.frame()).isEqualTo("com.acme.Server.answer:7");
                    assertThat(row.detail()).isEqualTo(kind == WaitKind.PINNED ? "SOCKET write" : "");
                });
    }

    /** A dump of JDK 25 may find a virtual thread that is being mounted, and has no frame of it: that one waits for nothing. */
    @Test
    void aVirtualThreadWithoutAFrameDoesNotKeepItsCarrier() {
        String print = """
                "ForkJoinPool-1-worker-1" #52 [3865] daemon prio=5
                   Carrying virtual thread #61
                \tat jdk.internal.vm.Continuation.run(java.base@25.0.3/Continuation.java:251)
                   Mounted virtual thread #61
                """;

        assertThat(BlockedRows.of(7, ThreadPrint.parse(print), List.of()))
                .singleElement()
                .satisfies(row -> assertThat(row.kind()).isEqualTo(WaitKind.RUNNABLE));
    }

    /** A server of which nothing is known but what the kernel tells: that its threads read of clients at one of two lines. */
    @Test
    void aThreadThatReadsOfAClientWaitsForTheNextRequest() {
        String frames = """
                \tat sun.nio.ch.SocketDispatcher.read0(java.base@25.0.3/Native Method)
                \tat sun.nio.ch.NioSocketImpl.implRead(java.base@25.0.3/NioSocketImpl.java:306)
                \tat java.net.Socket$SocketInputStream.read(java.base@25.0.3/Socket.java:974)
                """;
        List<DumpedThread> print =
                ThreadPrint.parse("\"w-1\" #9 [3865] prio=5 cpu=12.30ms elapsed=4.3s tid=0x00007f nid=3865 runnable\n"
                        + "   java.lang.Thread.State: RUNNABLE\n" + frames + "\tat app.Server.take(Server.java:7)\n\n"
                        + "\"w-2\" #10 prio=5 cpu=0.04ms elapsed=4.3s tid=0x00007f nid=0xf1a runnable\n"
                        + "   java.lang.Thread.State: RUNNABLE\n" + frames + "\tat app.Client.ask(Client.java:9)\n");

        assertThat(BlockedRows.reads(print))
                .containsExactly(
                        new BlockedRows.SocketRead(new KernelThread(3865, 12_300_000), "app.Server.take:7"),
                        new BlockedRows.SocketRead(new KernelThread(3866, 40_000), "app.Client.ask:9"));
        assertThat(BlockedRows.of(7, print, List.of(), Set.of("app.Server.take:7")))
                .extracting(BlockedSample::kind)
                .containsExactlyInAnyOrder(WaitKind.IDLE, WaitKind.SOCKET);
    }

    /** It carries one that runs a task: it is no worker that others queue for. */
    @Test
    void aCarrierHasNoTask() throws IOException {
        List<BlockedSample> rows = BlockedRows.of(
                7,
                ThreadPrint.parse(text("print-25.0.3.txt")),
                ThreadJson.parse(bytes("file-25.0.3.json")).orElseThrow());

        assertThat(rows)
                .filteredOn(row -> row.pool().equals("ForkJoinPool-2-worker") && row.kind() != WaitKind.IDLE)
                .isNotEmpty()
                .allSatisfy(row -> assertThat(row.task()).isEmpty());
    }

    /** It wakes those that sleep. Pollers are only where one waits for the network. */
    @Test
    void theTextTellsTheVersionOfTheJvm() throws IOException {
        assertThat(ThreadPrint.feature(text("print-17.0.15.txt"))).hasValue(17);
        assertThat(ThreadPrint.feature(text("print-21.0.8.txt"))).hasValue(21);
        assertThat(ThreadPrint.feature(text("print-25.0.3.txt"))).hasValue(25);
        assertThat(ThreadPrint.feature(
                        "2026-11-27\nFull thread dump OpenJDK 64-Bit Server VM (28-ea+9-511 mixed mode):"))
                .hasValue(28);
        assertThat(ThreadPrint.feature("2026-11-27\nFull thread dump of something (else)"))
                .isEmpty();
        assertThat(ThreadPrint.feature(
                        "2026-11-27\nFull thread dump OpenJDK 64-Bit Server VM (25.402-b06 mixed mode):"))
                .as("of Java 8")
                .isEmpty();
    }

    @Test
    void virtualThreadsAreSeenWithoutAPoller() {
        String unparker = """
                "VirtualThread-unparker" #44 daemon prio=5
                   java.lang.Thread.State: TIMED_WAITING (parking)
                \tat jdk.internal.misc.Unsafe.park(java.base@21.0.8/Native Method)
                \tat java.util.concurrent.ThreadPoolExecutor.getTask(java.base@21.0.8/Unknown Source)
                \tat java.util.concurrent.ThreadPoolExecutor.runWorker(java.base@21.0.8/Unknown Source)
                """;

        assertThat(dev.kiln.jvm.ThreadDumps.hasVirtual(ThreadPrint.parse(unparker)))
                .isTrue();
        assertThat(dev.kiln.jvm.ThreadDumps.hasVirtual(
                        ThreadPrint.parse(unparker.replace("VirtualThread-unparker", "ForkJoinPool-1-worker-1"))))
                .isFalse();
    }

    @Test
    void threadsBeyondTheRowsAreCountedTogether() {
        StringBuilder text = new StringBuilder();
        IntStream.range(0, 100)
                .forEach(i -> text.append("\"pool")
                        .append((char) ('A' + i % 26))
                        .append(i / 26)
                        .append("x\" #")
                        .append(i + 1)
                        .append(" prio=5\n   java.lang.Thread.State: RUNNABLE\n\tat com.acme.Some.m")
                        .append("(S.java:1)\n\n"));
        List<BlockedSample> rows = BlockedRows.of(7, ThreadPrint.parse(text.toString()), List.of());
        assertThat(rows).hasSize(BlockedRows.MOST + 1);
        assertThat(rows.getLast()).isEqualTo(new BlockedSample(7, "", false, 40, WaitKind.RUNNABLE, "", "", ""));
        assertThat(rows.stream().mapToInt(BlockedSample::threads).sum()).isEqualTo(100);
    }

    @Test
    void aJvmIsKnownToHaveVirtualThreadsByItsPlatformThreads() throws IOException {
        assertThat(dev.kiln.jvm.ThreadDumps.hasVirtual(ThreadPrint.parse(text("print-17.0.15.txt"))))
                .isFalse();
        assertThat(dev.kiln.jvm.ThreadDumps.hasVirtual(ThreadPrint.parse(text("print-21.0.8.txt"))))
                .isTrue();
        assertThat(dev.kiln.jvm.ThreadDumps.hasVirtual(ThreadPrint.parse(text("print-25.0.3.txt"))))
                .isTrue();
    }

    /** A JVM answers what it likes. */
    @Test
    void noDumpIsTooMuch() throws IOException {
        Mutations.of(
                text("print-25.0.3.txt"),
                Mutations.some(300),
                text -> BlockedRows.of(7, ThreadPrint.parse(text), List.of()));
        Mutations.of(
                bytes("file-25.0.3.json"),
                Mutations.some(300),
                json -> BlockedRows.of(7, List.of(), ThreadJson.parse(json).orElse(List.of())));
        assertThat(ThreadJson.parse("{\"threadDump\": [".getBytes(StandardCharsets.UTF_8)))
                .isEmpty();
        assertThat(ThreadJson.parse("{}".getBytes(StandardCharsets.UTF_8))).isEmpty();
        assertThat(ThreadPrint.parse("")).isEmpty();
    }

    private static String shown(BlockedSample row) {
        return row.pool() + (row.virtual() ? " v " : " p ") + row.threads() + " " + row.kind() + " " + row.frame()
                + " | " + row.detail();
    }

    private static String text(String name) throws IOException {
        return new String(bytes(name), StandardCharsets.UTF_8);
    }

    private static byte[] bytes(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(BlockedRowsTest.class.getResourceAsStream(name), name)) {
            return in.readAllBytes();
        }
    }
}
