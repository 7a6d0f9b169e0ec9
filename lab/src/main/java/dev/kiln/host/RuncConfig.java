package dev.kiln.host;

import dev.kiln.host.ContainerSpec.Bind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code config.json} of a runc bundle, as the runtime specification of the Open Container Initiative has it. What it does not
 * isolate is left out: the network and the host name are the machine's.
 */
final class RuncConfig {
    private static final String PATH = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
    private static final long PERIOD_MICROS = 100_000;

    /** What docker leaves to root in a container. */
    private static final List<String> CAPABILITIES = List.of(
            "CAP_AUDIT_WRITE",
            "CAP_CHOWN",
            "CAP_DAC_OVERRIDE",
            "CAP_FOWNER",
            "CAP_FSETID",
            "CAP_KILL",
            "CAP_MKNOD",
            "CAP_NET_BIND_SERVICE",
            "CAP_NET_RAW",
            "CAP_SETFCAP",
            "CAP_SETGID",
            "CAP_SETPCAP",
            "CAP_SETUID",
            "CAP_SYS_CHROOT");

    private static final List<String> MASKED = List.of(
            "/proc/acpi",
            "/proc/asound",
            "/proc/kcore",
            "/proc/keys",
            "/proc/latency_stats",
            "/proc/timer_list",
            "/proc/timer_stats",
            "/proc/sched_debug",
            "/proc/scsi",
            "/sys/firmware");

    private static final List<String> READ_ONLY =
            List.of("/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger");

    /**
     * "ro" is true of the uppermost mount alone, "rro" (runc 1.1) of those below it too. An older runc takes no notice of what it
     * does not know, so "ro" stays.
     */
    private static final List<String> READ = List.of("rbind", "ro", "rro");

    private static final List<String> READ_TOP = List.of("rbind", "ro");

    /** The first kernel with mount_setattr(2); on an older one "rro" is an error. */
    private static final int RECURSIVE_MAJOR = 5;

    private static final int RECURSIVE_MINOR = 12;

    private static final Pattern RELEASE = Pattern.compile("(\\d+)\\.(\\d+).*", Pattern.DOTALL);

    private RuncConfig() {}

    /**
     * Whether a kernel can make all mounts below a folder read only at once.
     *
     * @param release {@code /proc/sys/kernel/osrelease}
     */
    static boolean isRecursive(String release) {
        Matcher version = RELEASE.matcher(release);
        if (!version.matches()) {
            return false;
        }
        int major = Integer.parseInt(version.group(1));
        return major > RECURSIVE_MAJOR
                || (major == RECURSIVE_MAJOR && Integer.parseInt(version.group(2)) >= RECURSIVE_MINOR);
    }

    /**
     * @param root the container's root
     * @param lent what is bound into it before all else
     * @param recursive whether the kernel makes mounts below a folder read only with it
     */
    static String json(ContainerSpec spec, Path root, List<Bind> lent, boolean recursive) {
        ObjectNode config = JsonMapper.shared().createObjectNode();
        config.put("ociVersion", "1.0.2");
        process(spec, config.putObject("process"));
        config.putObject("root").put("path", root.toString()).put("readonly", true);
        mounts(spec, lent, recursive, config.putArray("mounts"));
        linux(spec, config.putObject("linux"));
        return config.toPrettyString();
    }

    private static void process(ContainerSpec spec, ObjectNode process) {
        process.put("terminal", false);
        process.putObject("user").put("uid", 0).put("gid", 0);
        texts(process.putArray("args"), spec.command());
        List<String> environment = new ArrayList<>();
        Map<String, String> given = new TreeMap<>(spec.environment());
        if (!given.containsKey("PATH")) {
            environment.add(PATH);
        }
        given.forEach((name, value) -> environment.add(name + "=" + value));
        texts(process.putArray("env"), environment);
        process.put("cwd", spec.directory().orElse("/"));
        ObjectNode capabilities = process.putObject("capabilities");
        for (String set : List.of("bounding", "effective", "permitted")) {
            texts(capabilities.putArray(set), CAPABILITIES);
        }
        process.put("noNewPrivileges", true);
    }

    private static void mounts(ContainerSpec spec, List<Bind> lent, boolean recursive, ArrayNode mounts) {
        lent.forEach(bind -> bind(mounts, bind, recursive));
        mount(mounts, "/proc", "proc", "nosuid", "noexec", "nodev");
        mount(mounts, "/dev", "tmpfs", "nosuid", "strictatime", "mode=755", "size=65536k");
        mount(mounts, "/dev/pts", "devpts", "nosuid", "noexec", "newinstance", "ptmxmode=0666", "mode=0620");
        mount(mounts, "/dev/shm", "tmpfs", "nosuid", "noexec", "nodev", "mode=1777", "size=65536k");
        mount(mounts, "/dev/mqueue", "mqueue", "nosuid", "noexec", "nodev");
        mount(mounts, "/sys", "sysfs", "nosuid", "noexec", "nodev", "ro");
        // By this a JVM sees what it is limited to.
        mount(mounts, "/sys/fs/cgroup", "cgroup", "nosuid", "noexec", "nodev", "relatime", "ro");
        mount(mounts, "/run", "tmpfs", "nosuid", "nodev", "mode=755");
        mount(mounts, "/tmp", "tmpfs", "nosuid", "nodev", "mode=1777");
        spec.binds().forEach(bind -> bind(mounts, bind, recursive));
    }

    private static void mount(ArrayNode mounts, String destination, String type, String... options) {
        ObjectNode mount = mounts.addObject()
                .put("destination", destination)
                .put("type", type)
                .put("source", type);
        texts(mount.putArray("options"), List.of(options));
    }

    private static void bind(ArrayNode mounts, Bind bind, boolean recursive) {
        ObjectNode mount = mounts.addObject()
                .put("destination", bind.to())
                .put("type", "bind")
                .put("source", bind.from().toString());
        texts(mount.putArray("options"), bind.writable() ? List.of("rbind", "rw") : recursive ? READ : READ_TOP);
    }

    private static void linux(ContainerSpec spec, ObjectNode linux) {
        ObjectNode resources = linux.putObject("resources");
        resources.putArray("devices").addObject().put("allow", false).put("access", "rwm");
        if (spec.quota().isPresent() || !spec.cpus().isEmpty()) {
            ObjectNode cpu = resources.putObject("cpu");
            spec.quota()
                    .ifPresent(cpus ->
                            cpu.put("quota", Math.round(cpus * PERIOD_MICROS)).put("period", PERIOD_MICROS));
            if (!spec.cpus().isEmpty()) {
                cpu.put("cpus", CpuLists.format(spec.cpus()));
            }
        }
        spec.memoryBytes().ifPresent(bytes -> resources.putObject("memory").put("limit", bytes));
        ArrayNode namespaces = linux.putArray("namespaces");
        for (String type : List.of("pid", "ipc", "mount")) {
            namespaces.addObject().put("type", type);
        }
        texts(linux.putArray("maskedPaths"), MASKED);
        texts(linux.putArray("readonlyPaths"), READ_ONLY);
    }

    private static void texts(ArrayNode array, List<String> texts) {
        texts.forEach(array::add);
    }
}
