package dev.kiln.remote;

import dev.kiln.host.process.CacheFolder;
import dev.kiln.host.process.Ports;
import dev.kiln.launch.Lab;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.KilnException.IoReason;
import dev.kiln.model.Secrets;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/**
 * AgentMain is Kiln's agent beside a target. Questions come on standard input, one in each line. Answers and events go
 * to standard output. The agent, and a target that it launched, end when the input ends, or when no question has come for
 * a minute.
 */
public final class AgentMain {
    /** The agent ends after this time without a question. A living Kiln asks for the time every ten seconds. */
    static final Duration SILENCE = Duration.ofSeconds(60);

    private static final long WATCH_MILLIS = 5_000;
    private static final int BUG = 70;

    private final PrintStream out;
    private volatile long heardNanos = System.nanoTime();
    private Optional<AgentRun> run = Optional.empty();

    private AgentMain(PrintStream out) {
        this.out = out;
    }

    public static void main(String[] args) throws IOException {
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
        // What a library prints must not be taken for an answer.
        System.setOut(System.err);
        AgentMain agent = new AgentMain(out);
        Thread.setDefaultUncaughtExceptionHandler((thread, e) -> {
            e.printStackTrace();
            agent.end();
            Runtime.getRuntime().halt(BUG);
        });
        Runtime.getRuntime().addShutdownHook(new Thread(agent::end, "kiln-agent-end"));
        Thread.ofPlatform().daemon().name("kiln-agent-watch").start(agent::watch);
        agent.serve(new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)));
        System.exit(0);
    }

    private void serve(BufferedReader in) throws IOException {
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            heardNanos = System.nanoTime();
            Ask ask = Wire.read(line, Ask.class);
            try {
                answer(ask);
            } catch (KilnException e) {
                tell(new Tell.Failed(e.exit(), String.valueOf(e.getMessage()), e.remedy()));
            } catch (IOException e) {
                tell(new Tell.Failed(Exit.MACHINE, IoReason.of(e), "check that machine's disk and /tmp"));
            }
        }
    }

    private void answer(Ask ask) throws IOException {
        switch (ask) {
            case Ask.ReadClock clock -> tell(new Tell.Time(clock.number(), System.nanoTime()));
            case Ask.Begin begin -> begin(begin);
            case Ask.Reach reach -> tell(reached(reach));
            case Ask.LaunchTarget launch -> tell(running().launch(launch));
            case Ask.AttachTarget attach -> tell(running().attach(attach));
            case Ask.DumpThreads dumps -> tell(running().dumpThreads(dumps.times()));
            case Ask.StopRecording stop -> tell(running().stopRecording());
            case Ask.StopTarget stop -> tell(running().stopTarget(stop.graceMillis()));
        }
    }

    private synchronized void begin(Ask.Begin begin) throws IOException {
        Lab lab = new Lab("agent", CacheFolder.path(), begin.cpus(), Secrets.HIDDEN, System.err::println, true);
        run = Optional.of(new AgentRun(lab, this::tell));
        String connection = System.getenv().getOrDefault("SSH_CONNECTION", "");
        tell(new Tell.Begun(Wire.PROTOCOL, System.currentTimeMillis(), Ports.free(), lab.swept(), connection));
    }

    private static Tell.Reached reached(Ask.Reach reach) {
        if (!Ports.accepts(reach.address(), reach.port())) {
            throw KilnException.machine(
                    "cannot connect to " + reach.address() + ":" + reach.port() + ", where Kiln's PostgreSQL listens",
                    "let it through the firewall of Kiln's machine (TCP ports " + Ports.RANGE + "), or name a database"
                            + " that both machines can reach: database: {url: ..., user: ..., password: ...}");
        }
        return new Tell.Reached();
    }

    private AgentRun running() {
        return run.orElseThrow(() -> new IllegalStateException("nothing has begun"));
    }

    private void tell(Tell tell) {
        String line = Wire.line(tell);
        synchronized (out) {
            out.print(line + "\n");
            out.flush();
        }
    }

    private void watch() {
        try {
            while (System.nanoTime() - heardNanos < SILENCE.toNanos()) {
                Thread.sleep(WATCH_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        System.exit(0);
    }

    private synchronized void end() {
        run.ifPresent(AgentRun::close);
        run = Optional.empty();
    }
}
