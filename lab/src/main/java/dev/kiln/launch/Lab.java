package dev.kiln.launch;

import dev.kiln.host.container.Containers;
import dev.kiln.host.proc.CpuHalves;
import dev.kiln.host.proc.CpuPlanner;
import dev.kiln.host.proc.HostFacts;
import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.proc.Topology;
import dev.kiln.host.process.Launcher;
import dev.kiln.host.process.OrphanRegistry;
import dev.kiln.host.process.Pinning;
import dev.kiln.model.CpuAssignment;
import dev.kiln.model.CpuAssignment.CpuRequest;
import dev.kiln.model.KilnException;
import dev.kiln.model.Secrets;
import dev.kiln.model.run.Machine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A Lab is what the runs of an experiment share: folders, CPUs, and the registry of what must be removed. Kiln itself
 * moves to the load's CPUs, and back at the end, so that what follows can use the whole machine again.
 */
public final class Lab implements AutoCloseable {
    private final String kilnVersion;
    private final Path cache;
    private final OrphanRegistry registry;
    private final Launcher launcher;
    private final Topology topology;
    private final CpuAssignment cpus;
    private final Machine.HostInfo host;
    private final List<String> swept;
    private final Secrets secrets;
    private final Consumer<String> notes;

    /**
     * Assigns the CPUs.
     *
     * @param cache folder for what is unpacked once
     * @param secrets what becomes of them in the evidence
     * @param notes takes what must be said at the end, or while a target runs
     * @param sweeps whether what an earlier Kiln left is removed; a lab before this one has done that otherwise
     */
    public Lab(
            String kilnVersion,
            Path cache,
            CpuRequest request,
            Secrets secrets,
            Consumer<String> notes,
            boolean sweeps) {
        this.kilnVersion = kilnVersion;
        this.cache = cache;
        this.secrets = secrets;
        this.notes = notes;
        host = HostFacts.of(ProcFs.ofThisMachine());
        registry = new OrphanRegistry(OrphanRegistry.defaultFolder());
        try {
            swept = sweeps ? registry.sweep(Containers::removeOrphan, notes) : List.of();
            topology = Topology.ofThisMachine();
            cpus = Pinning.verified(CpuPlanner.assign(request, topology));
            launcher = new Launcher(registry, notes);
        } catch (RuntimeException e) {
            registry.close();
            throw e;
        }
    }

    /** Makes a lab with other CPUs, which shares all else with the lab that it is a part of. */
    private Lab(Lab whole, CpuAssignment cpus) {
        this.kilnVersion = whole.kilnVersion;
        this.cache = whole.cache;
        this.secrets = whole.secrets;
        this.notes = whole.notes;
        this.host = whole.host;
        this.registry = whole.registry;
        this.swept = whole.swept;
        this.topology = whole.topology;
        this.launcher = whole.launcher;
        this.cpus = cpus;
    }

    /**
     * Returns two labs with half of the CPUs each, for two targets at once. They share all else with this one, which is
     * the one to close.
     */
    public List<Lab> halves(CpuRequest request) {
        List<Lab> halves = new ArrayList<>();
        List<String> shared = CpuHalves.shared(topology);
        for (Topology half : CpuHalves.of(topology)) {
            CpuAssignment own = Pinning.verified(CpuPlanner.assign(request, half));
            if (!own.pinned()) {
                throw KilnException.machine(
                        "duet: two targets at once need halves of the CPUs, and " + String.join("; ", own.notes()),
                        "leave --duet and 'duet: true' out, or allow this process to pin others (taskset)");
            }
            halves.add(new Lab(this, own.noting(shared)));
        }
        return List.copyOf(halves);
    }

    /** Returns what an earlier Kiln left and this one removed, in words. */
    public List<String> swept() {
        return swept;
    }

    public String kilnVersion() {
        return kilnVersion;
    }

    public Path cache() {
        return cache;
    }

    public Secrets secrets() {
        return secrets;
    }

    public OrphanRegistry registry() {
        return registry;
    }

    public Launcher launcher() {
        return launcher;
    }

    public CpuAssignment cpus() {
        return cpus;
    }

    public Machine.HostInfo host() {
        return host;
    }

    /** Returns the CPUs to pin a part to: none where this machine does not let Kiln pin processes. */
    public List<Integer> pinTo(List<Integer> part) {
        return cpus.pinned() ? part : List.of();
    }

    /** Returns the CPUs of the machine, for what is not to run where Kiln runs; none where Kiln does not pin. */
    public List<Integer> allCpus() {
        return pinTo(topology.ids());
    }

    /** Moves Kiln to the load's CPUs. Call it when all is built: unpinned children would run there too. */
    public void stepAside() {
        if (cpus.pinned()) {
            Pinning.pinThisProcess(cpus.load());
        }
    }

    @Override
    public void close() {
        if (cpus.pinned()) {
            Pinning.pinThisProcess(topology.ids());
        }
        launcher.close();
        registry.remaining().forEach(notes);
        registry.close();
    }
}
