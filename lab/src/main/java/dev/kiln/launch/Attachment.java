package dev.kiln.launch;

import dev.kiln.host.proc.Cgroups;
import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.proc.ProcStat;
import dev.kiln.host.proc.ProcStatus;
import dev.kiln.host.proc.Topology.CpuLists;
import dev.kiln.host.process.AttachedProcess;
import dev.kiln.jvm.LiveJvms;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Where.AttachPoint;
import dev.kiln.model.run.Attached;
import dev.kiln.model.run.Machine.HostInfo;
import java.util.List;
import java.util.Locale;

/**
 * An Attachment is a process of this machine that others started. It reads the CPUs and limits that the process has, and
 * changes nothing.
 */
public record Attachment(AttachPoint point, AttachedProcess process) {
    /** The kernel counts the start of a process, and the time since the boot, in hundredths of a second. */
    private static final double TICKS_SECONDS = 0.03;

    /** Attaches to the process that the point names. */
    public static Attachment to(AttachPoint point) {
        ProcFs fs = ProcFs.ofThisMachine();
        return new Attachment(
                point, new AttachedProcess(fs, new AttachSearch(fs).find(point), System.nanoTime(), false));
    }

    /**
     * Attaches to a process that a command brought, and refuses one that ran before: that one is warm. Times count from the start of
     * the process.
     *
     * @param sinceNanos the monotonic clock at the start of the command
     * @throws KilnException where there is none yet, or one that ran before
     */
    public static Attachment toNew(AttachPoint point, long sinceNanos) {
        ProcFs fs = ProcFs.ofThisMachine();
        ProcStat found = new AttachSearch(fs).find(point);
        long now = System.nanoTime();
        double age = LiveJvms.ageSeconds(fs, found.startTicks());
        if (age > (now - sinceNanos) / 1e9 + TICKS_SECONDS) {
            throw old(point, found, age);
        }
        long start = Math.max(sinceNanos, now - Math.round(1e9 * age));
        return new Attachment(point, new AttachedProcess(fs, found, start, true));
    }

    private static KilnException old(AttachPoint point, ProcStat found, double age) {
        String which = point instanceof AttachPoint.ProcessId ? "" : " is " + point.words() + ", and";
        return new AttachSearch.NothingThere(
                String.format(
                        Locale.ROOT,
                        "process %d%s has run for %.1f s, since before the command began",
                        found.pid(),
                        which,
                        age),
                "the command must start the service anew, as systemctl restart and docker compose up --force-recreate do");
    }

    /** Returns how long the process had run when Kiln attached. */
    public Attached before() {
        ProcStat found = process.found();
        return new Attached(
                point.text(),
                found.pid(),
                Math.round(1e9 * LiveJvms.ageSeconds(ProcFs.ofThisMachine(), found.startTicks())),
                found.cpu().ownNanos());
    }

    /** Returns the CPUs on which the process may run. */
    public List<Integer> allowed() {
        String status =
                ProcFs.ofThisMachine().text("proc/" + process.pid() + "/status").orElse("");
        return CpuLists.parse(ProcStatus.field(status, "Cpus_allowed_list"));
    }

    /** Returns the machine as the process has it: with the CPUs that affinity and limits leave to it. */
    public HostInfo host(HostInfo all) {
        double quota = Cgroups.cpusOf(ProcFs.ofThisMachine(), process.pid());
        int may = (int) Math.max(1, Math.ceil(Double.isFinite(quota) && quota > 0 ? quota : all.cpus()));
        List<Integer> allowed = allowed();
        return all.withCpus(Math.min(may, allowed.isEmpty() ? all.cpus() : Math.min(allowed.size(), all.cpus())));
    }
}
