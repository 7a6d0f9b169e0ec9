package dev.kiln.remote;

import dev.kiln.evidence.RunWriter;
import dev.kiln.files.OutputFile;
import dev.kiln.host.process.ExitCode;
import dev.kiln.host.process.LogLimit;
import dev.kiln.host.process.TargetProcess;
import dev.kiln.model.ClockOffset;
import dev.kiln.model.KilnException;
import dev.kiln.model.run.Attached;
import dev.kiln.model.run.Machine.JvmInfo;
import dev.kiln.model.run.Machine.RemoteHost;
import dev.kiln.model.run.RunInfo.NotRecorded;
import dev.kiln.recorder.Recording;
import dev.kiln.recorder.Recording.CompilerLoad;
import dev.kiln.recorder.Recording.DumpTimes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * A RemoteTarget is a target beside an agent, with its recording there. What is recorded arrives here about a second
 * later.
 */
public final class RemoteTarget implements TargetProcess, Recording {
    /** The interval is well below the time that an agent waits for a sign of life. */
    private static final long SIGN_OF_LIFE_SECONDS = 10;

    private static final Duration STOP = Duration.ofSeconds(30);
    private static final Duration CLOCK = Duration.ofSeconds(10);
    private static final int EXCHANGES = 50;

    /** A recording of many minutes has less: rows that come before the run's own recording begins must not fill memory. */
    private static final long MOST_EARLY = 64 << 20;

    /** A message takes so much beside its rows. */
    private static final int MESSAGE = 128;

    private final String host;
    private final AgentLink link;
    private final ClockOffset offset;
    private final RunWriter writer;
    private final Path log;
    private final LogLimit limit;
    private final CompletableFuture<Optional<ExitCode>> ended = new CompletableFuture<>();
    private final ScheduledExecutorService signs = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("kiln-agent-signs").factory());
    private volatile Optional<JvmInfo> jvm = Optional.empty();
    private volatile Optional<CompilerLoad> c2 = Optional.empty();
    private volatile Optional<KilnException> failure = Optional.empty();
    private volatile boolean endTold;
    private final List<Tell.NewRows> early = new ArrayList<>();
    private long earlySize;
    private boolean recording;
    private boolean fresh;
    private Optional<Tell.Launched> launched = Optional.empty();
    private long launchEpochMillis;
    private Optional<Recording.RecordingResult> result = Optional.empty();
    private OptionalLong drift = OptionalLong.empty();

    RemoteTarget(String host, AgentLink link, ClockOffset offset, RunWriter writer, Path log) {
        this.host = host;
        this.link = link;
        this.offset = offset;
        this.writer = writer;
        this.log = log;
        this.limit = new LogLimit(log);
        link.listen(this::take, () -> ended.complete(Optional.empty()));
    }

    void launched(Tell.Launched told) {
        launched = Optional.of(told);
        launchEpochMillis = System.currentTimeMillis() - (System.nanoTime() - launchNanos()) / 1_000_000;
        var unused = signs.scheduleAtFixedRate(
                this::signOfLife, SIGN_OF_LIFE_SECONDS, SIGN_OF_LIFE_SECONDS, TimeUnit.SECONDS);
    }

    /**
     * Asks the agent for the time, or gives up the connection if the agent has been silent for too long. If the network
     * fails silently, the connection still seems to work.
     */
    private void signOfLife() {
        if (link.silence().compareTo(AgentMain.SILENCE) > 0) {
            link.abandon();
        }
        if (!link.isLost()) {
            link.askTime();
        }
    }

    /** Returns the same, as a target that a command brought for the run. */
    RemoteTarget asFresh() {
        fresh = true;
        return this;
    }

    /** Tells whether it was started for Kiln; it ran before otherwise, where Kiln attached to it. */
    public boolean isFresh() {
        return fresh;
    }

    /** Returns the agent's answer to the launch. */
    public Tell.Launched told() {
        return launched.orElseThrow(() -> new IllegalStateException("not launched yet"));
    }

    /** Returns the process that has ended, where Kiln had attached to it; empty while it runs, and of any other. */
    public Optional<Attached> ended() {
        return endTold ? launched.flatMap(Tell.Launched::attached) : Optional.empty();
    }

    /** Says that the connection was lost, and why if that can be known. */
    public String lost() {
        return link.lostWords();
    }

    /** Returns the other machine's name and what is known so far about its clock. */
    public RemoteHost remote() {
        return new RemoteHost(host, offset.uncertaintyNanos(), drift);
    }

    private void take(Tell.Event event) {
        try {
            switch (event) {
                case Tell.NewRows rows -> rows(rows);
                case Tell.TargetOutput some -> {
                    OutputFile.append(log, some.bytes().getBytes(StandardCharsets.ISO_8859_1));
                    limit.look();
                }
                case Tell.TargetJvm said -> jvm = Optional.of(said.info());
                case Tell.C2 now -> c2 = Optional.of(now.load());
                case Tell.TargetEnded how -> {
                    endTold = true;
                    ended.complete(how.exit());
                }
            }
        } catch (IOException e) {
            failed(KilnException.machine(e, "cannot write " + log, "make room on the disk"));
        } catch (KilnException e) {
            failed(e);
        }
    }

    /** Begins to write what arrives. Rows without the facts of their run could not be read after a kill. */
    public void record() {
        synchronized (early) {
            recording = true;
            early.forEach(this::take);
            early.clear();
        }
    }

    private void rows(Tell.NewRows rows) {
        synchronized (early) {
            if (recording) {
                writer.rows(rows.file(), rows.text());
                return;
            }
            // What is wrong costs the connection now, and would cost more where the rows are written later.
            writer.requireTable(rows.file());
            earlySize += MESSAGE + rows.text().length();
            if (earlySize > MOST_EARLY) {
                throw new IllegalStateException("it records too much before it was asked");
            }
            early.add(rows);
        }
    }

    /** Keeps the failure, for example a full disk, which ends the recording and not the run. */
    private void failed(KilnException e) {
        failure = failure.or(() -> Optional.of(e));
    }

    @Override
    public List<String> command() {
        return told().command();
    }

    @Override
    public long launchNanos() {
        return told().nanos() + offset.nanos();
    }

    @Override
    public long launchEpochMillis() {
        return launchEpochMillis;
    }

    @Override
    public boolean isAlive() {
        return !ended.isDone();
    }

    @Override
    public Optional<ExitCode> exit() {
        return ended.getNow(Optional.empty());
    }

    @Override
    public void whenEnded(Runnable action) {
        var unused = ended.thenRun(action);
    }

    @Override
    public void stop(Duration grace) {
        signs.shutdownNow();
        if (link.isLost()) {
            return;
        }
        try {
            link.ask(new Ask.StopTarget(grace.toMillis()), Tell.TargetStopped.class, grace.plus(STOP));
        } catch (KilnException e) {
            // The agent ends the target when it loses the connection. The next run gets an agent of its own.
            link.abandon();
        }
    }

    @Override
    public Optional<JvmInfo> jvm() {
        return jvm;
    }

    @Override
    public Optional<CompilerLoad> c2LastSecond() {
        return c2;
    }

    @Override
    public void dumpThreads(DumpTimes times) {
        if (!link.isLost()) {
            link.ask(new Ask.DumpThreads(times.plus(-offset.nanos())), Tell.DumpsPlanned.class, STOP);
        }
    }

    @Override
    public synchronized Recording.RecordingResult stop() {
        if (result.isEmpty()) {
            result = Optional.of(link.isLost() ? lostResult("the connection to " + host + " was lost") : end());
        }
        return result.get();
    }

    private Recording.RecordingResult end() {
        try {
            drift = OptionalLong.of(link.measureClock(EXCHANGES, CLOCK).nanos() - offset.nanos());
            Tell.RecordingEnded told = link.ask(new Ask.StopRecording(), Tell.RecordingEnded.class, STOP);
            // Of a recording that ended as it should: a JVM that was told before may not be the one that serves.
            jvm = told.jvm();
            Optional<KilnException> there =
                    told.failure().map(why -> KilnException.machine(host + ": " + why, "check that machine's disk"));
            return new Recording.RecordingResult(
                    told.notRecorded(), told.notes(), jvm, told.cpuNanos(), failure.or(() -> there));
        } catch (KilnException e) {
            return lostResult(String.valueOf(e.getMessage()));
        }
    }

    private Recording.RecordingResult lostResult(String why) {
        List<NotRecorded> missing = new ArrayList<>();
        missing.add(new NotRecorded("what the target did at the end", why));
        return new Recording.RecordingResult(missing, List.of(), jvm, 0, failure);
    }

    @Override
    public void close() {
        stop();
    }
}
