package dev.kiln.launch;

import dev.kiln.host.proc.Cgroups;
import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.proc.ProcStat;
import dev.kiln.host.proc.ProcStatus;
import dev.kiln.host.proc.Topology.CpuLists;
import dev.kiln.host.process.AttachedProcess;
import dev.kiln.jvm.LiveJvms;
import dev.kiln.model.experiment.Where.AttachPoint;
import dev.kiln.model.run.Attached;
import dev.kiln.model.run.Machine.HostInfo;
import java.util.List;

/** An Attachment is a process of this machine that others started, and what its place there is. It only reads. */
public record Attachment(AttachPoint point, AttachedProcess process) {
    /** Attaches to the process that a name says. */
    public static Attachment to(AttachPoint point) {
        ProcFs fs = ProcFs.ofThisMachine();
        return new Attachment(point, new AttachedProcess(fs, new AttachSearch(fs).find(point)));
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

    /**
     * Returns the machine with the number of CPUs that affinity and limits leave to the process: its threads compete for
     * these.
     */
    public HostInfo host(HostInfo all) {
        double quota = Cgroups.cpusOf(ProcFs.ofThisMachine(), process.pid());
        int may = (int) Math.max(1, Math.ceil(Double.isFinite(quota) && quota > 0 ? quota : all.cpus()));
        List<Integer> allowed = allowed();
        return all.withCpus(Math.min(may, allowed.isEmpty() ? all.cpus() : Math.min(allowed.size(), all.cpus())));
    }
}
