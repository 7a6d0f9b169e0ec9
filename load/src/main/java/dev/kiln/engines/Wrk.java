package dev.kiln.engines;

import dev.kiln.engines.Tool.Installed;
import dev.kiln.engines.Tool.Job;
import dev.kiln.engines.ToolShell.Running;
import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.process.Signal;
import dev.kiln.importer.ToolOutput;
import dev.kiln.importer.format.Lines;
import dev.kiln.importer.program.WrkOutput;
import dev.kiln.load.LoadSession.Tick;
import dev.kiln.model.experiment.LoadTemplate.LoadEngine;
import dev.kiln.model.experiment.LoadTemplate.TemplateCall;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A Wrk runs wrk for each phase; wrk reports totals at its end, and the kernel its writes meanwhile. */
record Wrk(ProcFs proc) implements Installed {
    static final LoadEngine NAME = new LoadEngine("wrk");

    /** This is the line of {@code /proc/PID/io} that counts write calls, see proc_pid_io(5). */
    private static final Pattern WRITES = Pattern.compile("(?m)^syscw: (\\d{1,18})$");

    @Override
    public LoadEngine engine() {
        return NAME;
    }

    @Override
    public String packages() {
        return "apt-get install wrk, or dnf install wrk";
    }

    @Override
    public String meaning() {
        return "closed loop, new connections for each phase; totals and quantiles of a whole phase, no curve;"
                + " a 3xx counts as good, and a request that could not be sent not at all";
    }

    @Override
    public boolean totals() {
        return true;
    }

    @Override
    public Optional<String> unable(TemplateCall call) {
        return call.method().equals("GET") && call.body().isEmpty()
                ? Optional.empty()
                : Optional.of(call.method() + (call.body().isPresent() ? " with a body" : ""));
    }

    @Override
    public List<String> command(Job job) {
        return command(
                job,
                "--threads",
                "1",
                "--connections",
                "" + job.spec().connections(),
                "--duration",
                job.phase().duration().toSeconds() + "s",
                "--timeout",
                Installed.seconds(job.spec().timeout()) + "s",
                "--latency");
    }

    /** Returns SIGINT: at other signals wrk ends without its totals. */
    @Override
    public Signal ending() {
        return Signal.INT;
    }

    @Override
    public Optional<ToolOutput.ToolPhase> read(Job job, Ended ended) {
        return ended.exit() == 0
                ? Optional.of(ToolOutput.of(
                        WrkOutput.parse(
                                Lines.of(ended.running().output()), job.phase().name()),
                        job.phase().name(),
                        -ended.startNanos(),
                        job.spec().connections()))
                : Optional.empty();
    }

    @Override
    public Optional<String> blind() {
        return writes(proc, ProcessHandle.current().pid()).isPresent()
                ? Optional.empty()
                : Optional.of("this kernel does not count its writes: there is no /proc/PID/io");
    }

    @Override
    public LiveSeconds live(Job job, Running running) {
        return new Writes(proc, job.phase().name(), job.spec().connections(), running);
    }

    /** Counts how often a process has called write(2) since it began; empty where it has ended, or the kernel does not say. */
    private static OptionalLong writes(ProcFs proc, long pid) {
        Matcher count = WRITES.matcher(proc.text("proc/" + pid + "/io").orElse(""));
        return count.find() ? OptionalLong.of(Long.parseLong(count.group(1))) : OptionalLong.empty();
    }

    /**
     * A Writes counts wrk's requests while it runs. wrk sends each request with a write of its own, and writes nothing else
     * before its totals, so the kernel knows how many
     * were sent; all but one a connection have ended, well or badly. A script in wrk could tell more, but would cost CPU time
     * for each request.
     */
    private static final class Writes implements LiveSeconds {
        private static final long SECOND = 1_000_000_000L;

        /** A last part of a second is not reported if it is shorter than this, because it says nothing. */
        private static final long SHORTEST_NANOS = 100_000_000;

        private final ProcFs proc;
        private final String phase;
        private final int connections;
        private final Running running;
        private Optional<ProcessHandle> program = Optional.empty();
        private long answered;
        private long seenNanos;
        private long toldAnswered;
        private long toldNanos;
        private int told;

        Writes(ProcFs proc, String phase, int connections, Running running) {
            this.proc = proc;
            this.phase = phase;
            this.connections = connections;
            this.running = running;
            toldNanos = running.startNanos();
            seenNanos = toldNanos;
        }

        /** Reports the seconds that are over. Those that were missed together get the mean of all of them. */
        @Override
        public void tell(boolean ended, Consumer<Tick> ticks) {
            look();
            long length = seenNanos - toldNanos;
            long over = (seenNanos - running.startNanos()) / SECOND - told;
            if (over < 1 && !(ended && length >= SHORTEST_NANOS)) {
                return;
            }
            double rate = (answered - toldAnswered) * 1e9 / length;
            toldAnswered = answered;
            toldNanos = seenNanos;
            for (long left = Math.max(1, over); left > 0; left--) {
                ticks.accept(new Tick(phase, ++told, rate, 0, 0));
            }
        }

        /** Reads the count of writes. The script's first children are other programs, recognised because they write nothing. */
        private void look() {
            Optional<ProcessHandle> looked = program.or(() -> ToolShell.program(running));
            OptionalLong writes = looked.isPresent() ? writes(proc, looked.get().pid()) : OptionalLong.empty();
            if (writes.isPresent() && writes.getAsLong() > 0) {
                program = looked;
                answered = Math.max(answered, writes.getAsLong() - connections);
            }
            if (writes.isPresent()) {
                seenNanos = System.nanoTime();
            }
        }
    }
}
