package dev.kiln.doctor;

import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.proc.ProcStat;
import dev.kiln.host.proc.ProcStatus;
import dev.kiln.jvm.JvmCounters;
import dev.kiln.jvm.JvmProbe;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.LiveProcess;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The JVMs that Kiln can see, across containers and users. It only looks. */
public final class LiveJvms {
    private static final double TICKS_A_SECOND = 100;

    private final ProcFs fs;

    public LiveJvms(ProcFs fs) {
        this.fs = fs;
    }

    /** All of them by pid, without this one. */
    public List<LiveProcess> all() {
        List<LiveProcess> found = new ArrayList<>();
        int[] pids = fs.pids();
        Arrays.sort(pids);
        for (int pid : pids) {
            if (pid != ProcessHandle.current().pid()) {
                fs.stat(pid)
                        .filter(stat -> !stat.isDead() && isJvm(pid))
                        .map(this::process)
                        .ifPresent(found::add);
            }
        }
        return found;
    }

    /** One process, which must be a JVM. */
    public LiveProcess of(long pid) {
        Optional<ProcStat> stat = fs.stat(pid).filter(s -> !s.isDead());
        if (stat.isEmpty()) {
            throw new KilnException(
                    Exit.USAGE, "there is no process " + pid, "kiln doctor without a PID lists all JVMs");
        }
        if (!isJvm(stat.get().pid())) {
            throw new KilnException(
                    Exit.USAGE,
                    "process " + pid + " (" + stat.get().name()
                            + ") is no HotSpot JVM: HotSpot's libjvm.so is not in it",
                    "kiln doctor without a PID lists all JVMs");
        }
        return process(stat.get());
    }

    /** The JVM in a container, by the beginning of the container's id. */
    public LiveProcess inContainer(String id) {
        List<LiveProcess> in = all().stream()
                .filter(jvm -> containerId(text(jvm.pid(), "cgroup"))
                        .filter(full -> full.startsWith(id))
                        .isPresent())
                .toList();
        if (in.size() != 1) {
            throw new KilnException(
                    Exit.USAGE,
                    in.isEmpty()
                            ? "no JVM in a container whose id begins with " + id + " can be seen from here"
                            : in.size() + " JVMs are in container " + id,
                    "give a PID instead; kiln doctor without one lists them with their containers");
        }
        return in.getFirst();
    }

    /** Kiln may not read another user's memory map, but may read the names of its threads. */
    private boolean isJvm(int pid) {
        Optional<String> maps = fs.text("proc/" + pid + "/maps");
        if (maps.isPresent()) {
            return new JvmProbe(fs, pid).isHotSpot();
        }
        if (text(pid, "cmdline").isEmpty()) {
            return false;
        }
        for (int tid : fs.tids(pid)) {
            if (fs.threadName(pid, tid).equals("VM Thread")) {
                return true;
            }
        }
        return false;
    }

    private LiveProcess process(ProcStat stat) {
        int pid = stat.pid();
        String status = text(pid, "status");
        return new LiveProcess(
                pid,
                stat.startTicks(),
                ProcStatus.innermostPid(status, pid),
                user(status),
                containerId(text(pid, "cgroup")).map(id -> id.substring(0, 12)),
                command(pid, stat),
                ageSeconds(fs, stat.startTicks()),
                stat.threads());
    }

    private String command(int pid, ProcStat stat) {
        String told = new JvmProbe(fs, pid).counters().map(JvmCounters::command).orElse("");
        String text = told.isBlank() ? mainOf(text(pid, "cmdline")) : told;
        String first = text.strip().split("\\s+", 2)[0];
        String file = first.substring(first.lastIndexOf('/') + 1);
        return file.isEmpty() ? stat.name() : file;
    }

    /** The main class or jar after the flags. */
    static String mainOf(String cmdline) {
        List<String> words = List.of(cmdline.split("\0", -1));
        for (int i = 1; i < words.size(); i++) {
            String word = words.get(i);
            if (List.of("-cp", "-classpath", "--class-path", "-p", "--module-path", "--add-modules")
                    .contains(word)) {
                i++;
            } else if (!word.startsWith("-") && !word.startsWith("@")) {
                return word;
            }
        }
        return words.getFirst();
    }

    /** The id of a container. All engines and the kubelet use it, 64 hexadecimal digits, in the name of its cgroup. */
    static Optional<String> containerId(String cgroup) {
        String last = "";
        for (String part : cgroup.split("[^0-9a-f]+", -1)) {
            last = part.length() == 64 ? part : last;
        }
        return last.isEmpty() ? Optional.empty() : Optional.of(last);
    }

    private String user(String status) {
        String uid = ProcStatus.field(status, "Uid").split("\\s+", 2)[0];
        return fs.text("etc/passwd")
                .orElse("")
                .lines()
                .map(line -> line.split(":", 4))
                .filter(fields -> fields.length > 2 && fields[2].equals(uid))
                .map(fields -> fields[0])
                .findFirst()
                .orElse(uid);
    }

    /** The present age of a process that began at this tick since boot. */
    static double ageSeconds(ProcFs fs, long startTicks) {
        String uptime = fs.text("proc/uptime").orElse("0").strip();
        return Math.max(0, Double.parseDouble(uptime.split(" ", 2)[0]) - startTicks / TICKS_A_SECOND);
    }

    private String text(long pid, String file) {
        return fs.text("proc/" + pid + "/" + file).orElse("");
    }
}
