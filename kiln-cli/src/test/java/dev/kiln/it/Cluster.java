package dev.kiln.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.host.process.Ports;
import dev.kiln.it.Kiln.Answer;
import dev.kiln.model.run.Course.Outcome;
import dev.kiln.model.run.RunEvidence;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A Cluster is containers of podman that are called pods, behind a stand-in for kubectl. There is no cluster in these tests. */
final class Cluster implements AutoCloseable {
    /** It knows pods by the containers' labels, and whatever a file says of one in place of podman. */
    private static final String KUBECTL = """
            #!/bin/sh
            # kubectl get -n NAMESPACE -o json WHAT..., kubectl exec -i -n NAMESPACE POD -c CONTAINER -- COMMAND...,
            # or kubectl set env deployment/NAME -n NAMESPACE -c CONTAINER NAME=VALUE NAME-...
            if [ "$1" = config ]; then
              [ ! -f DIR/broken ] || { echo 'error: error loading config file: EOF' >&2; exit 1; }
              cat DIR/context 2>/dev/null; exit 0
            fi
            for word; do
              shift
              if [ "$word" = --context ]; then at=here; elif [ "$at" ]; then at=; named=$word
              else set -- "$@" "$word"; fi
            done
            # There is one cluster.
            : "${named:=$(cat DIR/context 2>/dev/null || echo staging)}"
            [ "$named" = staging ] || { echo "Error from server (NotFound): not in $named" >&2; exit 1; }
            pod() {
              state=$(podman inspect --format '{{.State.Status}}' "$1" 2>/dev/null)
              if [ -f "DIR/$1.json" ]; then status=$(cat "DIR/$1.json")
              elif [ "$state" = running ]; then
                status='{"phase":"Running","containerStatuses":[{"name":"app","restartCount":2,"state":{"running":{}},'
                status=$status'"containerID":"'$(podman inspect --format '{{.Id}} {{.State.StartedAt}}' "$1")'"}]}'
              else echo "Error from server (NotFound): pods \\"$1\\" not found" >&2; exit 1; fi
              port=$(podman inspect --format '{{index .Config.Labels "port"}}' "$1" 2>/dev/null)
              limits=; [ -z "$(cpu "$1")" ] || limits=',"resources":{"limits":{"cpu":"'$(cpu "$1")'"}}'
              held=$limits; [ ! -f DIR/held ] || held=',"resources":{"limits":{"cpu":"'$(cat DIR/held)'"}}'
              status=$(echo "$status" | sed 's/"name":"app"/&'"$held"'/')
              echo '{"metadata":{"name":"'$1'","uid":"'$(podman inspect --format '{{.Id}}' "$1" 2>/dev/null)'"},"spec":{"containers":['
              [ ! -f "DIR/sidecar" ] || echo '{"name":"proxy"},'
              echo '{"name":"app"'$limits',"ports":[{"containerPort":'${port:-1}'}]}]},"status":'$status'}'
            }
            cpu() { cat "DIR/$1.cpu" 2>/dev/null || podman inspect --format '{{index .Config.Labels "cpu"}}' "$1" 2>/dev/null; }
            quota() { podman exec "$1" sh -c 'cat /sys/fs/cgroup/cpu.max 2>/dev/null || cat /sys/fs/cgroup/cpu/cpu.cfs_quota_us'; }
            if [ -s DIR/cuts ] && [ "$1" = get ]; then
              sed -i '$ d' DIR/cuts; echo 'Unable to connect to the server: i/o timeout' >&2; exit 1
            fi
            if [ -f DIR/cut ] && [ "$1" = get ]; then echo 'Unable to connect to the server: i/o timeout' >&2; exit 1; fi
            echo 'W1127 a warning, as the real one has them' >&2
            case "$1 $6" in
              "get pod") pod "$7" ;;
              "get deployment")
                echo '{"spec":{"replicas":1,"selector":{"matchLabels":{"app":"'$7'"}},'
                echo '"template":{"spec":{"containers":[{"name":"app","env":['
                touch DIR/env
                sed 's/^\\([^=]*\\)=\\(.*\\)$/{"name":"\\1","value":"\\2"},/; $ s/,$//' DIR/env
                [ ! -f DIR/sourced ] || echo '{"name":"JAVA_TOOL_OPTIONS","valueFrom":{"configMapKeyRef":{}}}'
                echo '],"envFrom":['$(cat DIR/envFrom 2>/dev/null)']}]}}}}' ;;
              set*)
                echo "$*" >> DIR/sets
                shift 7; sort DIR/env > DIR/env.before
                for word; do
                  sed -i "/^${word%%[-=]*}=/d" DIR/env
                  case "$word" in *=*) echo "$word" >> DIR/env ;; esac
                done
                sort DIR/env | cmp -s - DIR/env.before || sh DIR/rollout.sh ;;
              "get pods")
                echo '{"items":['
                for name in $(podman ps --all --filter "label=$8" --format '{{.Names}}'); do
                  echo "$comma"; pod "$name"; comma=,
                done
                echo ']}' ;;
              rollout*) sh DIR/rollout.sh ;;
              version*)
                echo '{"clientVersion":{"major":"1","minor":"32"},"serverVersion":{"major":"1","minor":"'$(cat DIR/minor 2>/dev/null || echo 33+)'"}}' ;;
              patch*)
                [ ! -f DIR/refuse ] || { echo 'Error from server (Forbidden): pods "'$3'" is forbidden' >&2; exit 1; }
                [ "$6 $7" = '--subresource resize' ] || { echo "error: no field of a pod that may change" >&2; exit 1; }
                milli=$(echo "$9" | sed 's/.*"limits":{"cpu":"\\([0-9]*\\)m".*/\\1/')
                podman update --cpus "$(echo "$milli" | awk '{print $1 / 1000}')" "$3" >/dev/null || exit 1
                echo "${milli}m" > "DIR/$3.cpu"
                echo "$3 $milli $(quota "$3" | cut -d ' ' -f 1)" >> DIR/patched
                pod "$3" ;;
              "get --ignore-not-found")
                [ "$2" = deployment ] || { cpu "$3"; exit; }
                grep '^JAVA_TOOL_OPTIONS=' DIR/env || echo =
                sed -n 's/^KILN_RUN=//p' DIR/env ;;
              exec*)
                name=$5; shift 8; podman exec -i "$name" "$@"; code=$?
                [ $code = 0 ] || echo "command terminated with exit code $code" >&2
                exit $code ;;
            esac
            """;

    private final Sandbox sandbox = new Sandbox();
    private final List<LentContainer> containers = new ArrayList<>();
    private final String app = "checkout-" + ProcessHandle.current().pid() + "-" + Ports.free();
    private final Path programs;
    private int milliCpus;

    Cluster() {
        try {
            programs = Files.createDirectory(sandbox.root().resolve("bin"));
            Path kubectl = Files.writeString(
                    programs.resolve("kubectl"),
                    KUBECTL.replace("DIR", sandbox.root().toString()));
            Files.setPosixFilePermissions(kubectl, PosixFilePermissions.fromString("rwxr-xr-x"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Sandbox sandbox() {
        return sandbox;
    }

    /** The name of the deployment, which the names of its pods begin with. */
    String app() {
        return app;
    }

    @Override
    public void close() {
        containers.forEach(LentContainer::close);
        if (Files.exists(sandbox.root().resolve("rollouts"))) {
            rollOut("0");
        }
        sandbox.close();
    }

    private List<String> labels(int port) {
        List<String> options = new ArrayList<>(List.of("--label", "app=" + app, "--label", "port=" + port));
        if (milliCpus > 0) {
            options.addAll(List.of("--cpus", milliCpus / 1000.0 + "", "--label", "cpu=" + milliCpus + "m"));
        }
        return options;
    }

    /** The pods that are made from now on have this CPU limit. */
    void limit(int thousandths) {
        milliCpus = thousandths;
    }

    /** What the CPU of pods was changed to: the pod, thousandths of a CPU, and the quota of its cgroup then. */
    List<String> patched() {
        try {
            Path file = sandbox.root().resolve("patched");
            return Files.exists(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String service(int port) {
        return Kiln.JAVA + " -Xmx64m -XX:+UseSerialGC -cp " + Kiln.fixtures() + " dev.kiln.fixtures.CurveServer --port "
                + port + "; exec sleep 1000";
    }

    private static String quoted(List<String> words) {
        return words.stream().map(word -> "'" + word + "'").collect(Collectors.joining(" "));
    }

    /** A pod whose first process is a shell, and whose service is below it. */
    LentContainer pod(String name, int port) {
        LentContainer container = LentContainer.start(app + "-" + name, labels(port), service(port));
        containers.add(container);
        Waiting.until("the service to listen", () -> Ports.accepts("127.0.0.1", port));
        return container;
    }

    Kiln kiln(String... words) {
        ProcessBuilder jvm = sandbox.jvm();
        jvm.environment().put("PATH", programs + ":" + System.getenv("PATH"));
        return Kiln.start(sandbox, jvm, words);
    }

    Kiln run(String pod, int port, String protocol, String... more) {
        List<String> words = new ArrayList<>(List.of("run", "--attach", pod, "--protocol", protocol));
        words.addAll(List.of("--url", "http://localhost:" + port + "/", "--connections", "4"));
        words.addAll(List.of("--results", sandbox.results().toString()));
        words.addAll(List.of(more));
        return kiln(words.toArray(String[]::new));
    }

    /** The run came to its end in this pod, and has what a run of a JVM has. */
    RunEvidence measured(Answer answer, LentContainer pod) {
        assertThat(answer.humane()).as(answer.err()).isTrue();
        RunEvidence evidence = sandbox.evidence("baseline");
        assertThat(evidence.info().outcome()).as(answer.err()).isEqualTo(Outcome.COMPLETED);
        assertThat(evidence.info().remote().orElseThrow().name()).isEqualTo("pod shop/" + pod.name());
        assertThat(evidence.info().jvm()).isPresent();
        assertThat(evidence.load()).isNotEmpty();
        return evidence;
    }

    /** The folder of the experiment. */
    Path experiment() {
        return sandbox.run("baseline").resolve("../..").normalize();
    }

    /**
     * Has a deployment of one pod, whose rollouts take the old pod away first, and starts it. Its service serves 400 requests a second
     * 3 s after the first, or after 1 s where its variable has the word {@code quick}.
     *
     * @param variable that it has for the flags of its JVM; empty for none
     * @param hand a line of a shell script before the service
     */
    void deployment(int port, String variable, String hand) {
        sandbox.file("env", variable.isEmpty() ? "" : "JAVA_TOOL_OPTIONS=" + variable + "\n");
        String script = "case \"$JAVA_TOOL_OPTIONS\" in *quick*) at=1 ;; *) at=3 ;; esac; " + hand + "; exec "
                + service(port).replace("; exec sleep 1000", "") + " --curve step:at=$at,from=100,to=400";
        List<String> more = new ArrayList<>(labels(port));
        more.addAll(List.of("--env-file", sandbox.root().resolve("env").toString()));
        String start = LentContainer.command("POD", more, "SCRIPT").stream()
                .map(word -> switch (word) {
                    case "POD" -> "\"$pod\"";
                    case "SCRIPT" -> "'" + script + "'";
                    default -> "'" + word + "'";
                })
                .collect(Collectors.joining(" "));
        sandbox.file("rollout.sh", """
                podman rm --force --time 0 $(podman ps --all --quiet --filter label=app=%1$s)
                [ "$1" != 0 ] || exit 0
                echo >> %2$s/rollouts
                pod=%1$s-$(wc -l < %2$s/rollouts)
                %3$s
                """.formatted(app, sandbox.root(), start));
        rollOut("1");
        Waiting.until("the service to listen", () -> Ports.accepts("127.0.0.1", port));
    }

    /** @param pods 0 or 1 */
    private void rollOut(String pods) {
        try {
            Process rollout = new ProcessBuilder(
                            "sh", sandbox.root().resolve("rollout.sh").toString(), pods)
                    .redirectErrorStream(true)
                    .redirectOutput(sandbox.root().resolve("rollout.log").toFile())
                    .start();
            assertThat(rollout.waitFor()).as(text("rollout.log")).isZero();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** What is in a file of the sandbox. */
    String text(String file) {
        try {
            Path path = sandbox.root().resolve(file);
            return Files.exists(path) ? Files.readString(path) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The variables that were set so far, each time in a line. */
    List<String> sets() {
        return text("sets")
                .lines()
                .map(line -> line.replace("set env deployment/" + app + " -n shop -c app ", "")
                        .replaceFirst("KILN_RUN=\\d+-[0-9a-f]+", "KILN_RUN=N"))
                .toList();
    }

    /** A pod that a rollout will start a while after it has begun, and before it takes the old one away. */
    LentContainer rollout(LentContainer old, String name, int port) {
        return rollout(old, List.of(name), List.of(port)).getFirst();
    }

    List<LentContainer> rollout(LentContainer old, List<String> names, List<Integer> ports) {
        StringBuilder script = new StringBuilder();
        List<LentContainer> all = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            LentContainer next = new LentContainer(app + "-" + names.get(i));
            all.add(next);
            int port = ports.get(i);
            script.append(quoted(LentContainer.command(next.name(), labels(port), "sleep 2; " + service(port))))
                    .append('\n');
        }
        containers.addAll(all);
        sandbox.file("rollout.sh", script + "sleep 1\npodman rm --force --time 0 " + old.name() + "\n");
        return all;
    }
}
