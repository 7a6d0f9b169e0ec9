package dev.kiln.jvm;

import dev.kiln.files.InputFile;
import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.proc.ProcStat;
import dev.kiln.host.proc.ProcStatus;
import dev.kiln.model.Controls;
import dev.kiln.model.KilnException;
import dev.kiln.model.LiveProcess;
import dev.kiln.model.LiveProcess.Pod;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** LiveJvms finds the JVMs that this user may read about, across containers and users. It changes nothing. */
public final class LiveJvms {
    private static final double TICKS_A_SECOND = 100;

    /** This finds a pod's id in a cgroup: {@code .../pod0c1d...-.../...} or {@code ...-pod0c1d..._....slice}. */
    private static final Pattern POD =
            Pattern.compile("pod([0-9a-f]{8}(?:[-_][0-9a-f]{4}){3}[-_][0-9a-f]{12}|[0-9a-f]{32})");

    /** The file names the pod's namespace, in each pod that has a service account. */
    private static final String NAMESPACE = "var/run/secrets/kubernetes.io/serviceaccount/namespace";

    /** That file is read up to this many bytes: a name of Kubernetes has at most 63 characters. */
    private static final int MOST_BYTES = 256;

    private final ProcFs fs;

    /** The JVMs of the last listing, by pid: of one that is still there, only the age is read again. */
    private Map<Integer, LiveProcess> known = Map.of();

    public LiveJvms(ProcFs fs) {
        this.fs = fs;
    }

    /** Returns all JVMs by pid, without this one. */
    public List<LiveProcess> all() {
        Map<Integer, LiveProcess> found = new LinkedHashMap<>();
        int[] pids = fs.pids();
        Arrays.sort(pids);
        for (int pid : pids) {
            if (pid != ProcessHandle.current().pid()) {
                fs.stat(pid).flatMap(this::jvm).ifPresent(jvm -> found.put(pid, jvm));
            }
        }
        known = found;
        return List.copyOf(found.values());
    }

    private Optional<LiveProcess> jvm(ProcStat stat) {
        if (stat.isDead()) {
            return Optional.empty();
        }
        LiveProcess before = known.get(stat.pid());
        if (before != null && before.startTicks() == stat.startTicks()) {
            return Optional.of(before.now(ageSeconds(fs, stat.startTicks()), stat.threads()));
        }
        return isJvm(stat.pid()) ? Optional.of(process(stat)) : Optional.empty();
    }

    /** Returns one process, which must be a JVM or have one below it, as a script that starts one has. */
    public LiveProcess of(long pid) {
        Optional<ProcStat> stat = fs.stat(pid).filter(s -> !s.isDead());
        if (stat.isEmpty()) {
            throw KilnException.usage("there is no process " + pid, "kiln doctor alone lists the JVMs with their pids");
        }
        return stat.filter(one -> isJvm(one.pid()))
                .or(() -> below(pid))
                .map(this::process)
                .orElseThrow(() -> KilnException.usage(
                        "process " + pid + " (" + stat.get().name()
                                + ") is no HotSpot JVM: HotSpot's libjvm.so is not in it",
                        "kiln doctor alone lists the JVMs with their pids"));
    }

    /** Returns one process, which must be a JVM itself: what is done to it is not undone. */
    public LiveProcess itself(long pid) {
        LiveProcess found = of(pid);
        if (found.pid() != pid) {
            throw KilnException.usage(
                    "process " + pid + " is no JVM; process " + found.pid() + " below it is one",
                    "give its PID: " + found.pid());
        }
        return found;
    }

    /** Returns the one JVM below a process, if there is one; this Kiln, which a shell has started, is none. */
    private Optional<ProcStat> below(long pid) {
        List<ProcStat> alive = Arrays.stream(fs.pids())
                .mapToObj(fs::stat)
                .flatMap(Optional::stream)
                .filter(process -> !process.isDead())
                .toList();
        List<ProcStat> nearest = nearest(alive, pid).toList();
        if (nearest.size() > 1) {
            throw KilnException.usage(
                    nearest.size() + " JVMs are below process " + pid,
                    "give the PID of one; kiln doctor alone lists them");
        }
        return nearest.stream().findFirst();
    }

    private Stream<ProcStat> nearest(List<ProcStat> alive, long parent) {
        return alive.stream()
                .filter(process -> process.parent() == parent
                        && process.pid() != ProcessHandle.current().pid())
                .flatMap(process -> isJvm(process.pid()) ? Stream.of(process) : nearest(alive, process.pid()));
    }

    /** Returns the JVM in a container, by the beginning of the container's id. */
    public LiveProcess inContainer(String id) {
        List<LiveProcess> in = all().stream()
                .filter(jvm -> containerId(text(jvm.pid(), "cgroup"))
                        .filter(full -> full.startsWith(id))
                        .isPresent())
                .toList();
        if (in.size() != 1) {
            throw KilnException.usage(
                    in.isEmpty()
                            ? "no JVM in a container whose id begins with " + id + " can be seen from here"
                            : in.size() + " JVMs are in container " + id,
                    "give a PID instead; kiln doctor without one lists them with their containers");
        }
        return in.getFirst();
    }

    /** Tells a JVM by its memory map, or by its threads' names, which are readable of other users' too. */
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
                pod(pid),
                command(pid, stat),
                ageSeconds(fs, stat.startTicks()),
                stat.threads());
    }

    /** Returns the pod's namespace; empty if unreadable: the pod owns this file, with anything in it. */
    private Optional<String> namespace(int pid) {
        try {
            return Optional.of(Controls.line(InputFile.below(fs.path("proc/" + pid + "/root"), NAMESPACE, MOST_BYTES)
                    .strip()));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private String command(int pid, ProcStat stat) {
        String told = new JvmProbe(fs, pid).counters().map(JvmCounters::command).orElse("");
        String text = told.isBlank() ? mainOf(text(pid, "cmdline")) : told;
        String first = text.strip().split("\\s+", 2)[0];
        String file = first.substring(first.lastIndexOf('/') + 1);
        // Its user chose it, and it goes to terminals and labels.
        return Controls.line(file.isEmpty() ? stat.name() : file);
    }

    /** Returns the main class or jar, which follows the flags. */
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

    /** Returns a container's id: engines and the kubelet put 64 hexadecimal digits into its cgroup's name. */
    public static Optional<String> containerId(String cgroup) {
        String last = "";
        for (String part : cgroup.split("[^0-9a-f]+", -1)) {
            last = part.length() == 64 ? part : last;
        }
        return last.isEmpty() ? Optional.empty() : Optional.of(last);
    }

    private Optional<Pod> pod(int pid) {
        Matcher uid = POD.matcher(text(pid, "cgroup"));
        return uid.find()
                ? Optional.of(new Pod(uid.group(1).replace('_', '-'), podName(pid), namespace(pid)))
                : Optional.empty();
    }

    /** Returns the pod's host name, which is the machine's where the pod uses the machine's network. */
    private Optional<String> podName(int pid) {
        boolean own = !fs.link("proc/" + pid + "/ns/uts").equals(fs.link("proc/1/ns/uts"));
        List<String> environment = List.of(text(pid, "environ").split("\0", -1));
        return Stream.of("POD_NAME=", "HOSTNAME=")
                .filter(variable -> own || variable.equals("POD_NAME="))
                .flatMap(variable -> environment.stream()
                        .filter(entry -> entry.startsWith(variable))
                        .map(entry -> entry.substring(variable.length())))
                .filter(name -> !name.isEmpty())
                .map(Controls::line)
                .findFirst();
    }

    private String user(String status) {
        return userName(fs, ProcStatus.field(status, "Uid").split("\\s+", 2)[0]);
    }

    /** Returns the name of the user with this number, or the number where nobody has named it. */
    public static String userName(ProcFs fs, String uid) {
        return fs.text("etc/passwd")
                .orElse("")
                .lines()
                .map(line -> line.split(":", 4))
                .filter(fields -> fields.length > 2 && fields[2].equals(uid))
                .map(fields -> fields[0])
                .findFirst()
                .orElse(uid);
    }

    /** Returns the present age of a process that began at this tick since boot. */
    public static double ageSeconds(ProcFs fs, long startTicks) {
        String uptime = fs.text("proc/uptime").orElse("0").strip();
        return Math.max(0, Double.parseDouble(uptime.split(" ", 2)[0]) - startTicks / TICKS_A_SECOND);
    }

    private String text(long pid, String file) {
        return fs.text("proc/" + pid + "/" + file).orElse("");
    }
}
