import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A Deployment is a service of one pod in a stand-in for a cluster: kubectl is a script, a pod is a process that is the first of a
 * namespace of its own, and a thread here starts another one whenever the variables of the deployment change. It ran before.
 */
final class Deployment extends UndonePlace {
    private static final String OWN = "JAVA_TOOL_OPTIONS=-Down=1\n";

    private static final String KUBECTL = """
            # kubectl get -n NAMESPACE -o json WHAT..., kubectl exec -i -n NAMESPACE POD -c CONTAINER -- COMMAND...,
            # kubectl set env deployment/NAME -n NAMESPACE -c CONTAINER NAME=VALUE NAME-..., or kubectl patch ... -p PATCH
            pod() {
              [ ! -f DIR/pod ] || read -r name pid < DIR/pod
              [ "$name" = "${1:-$name}" ] && [ "$name" ] || { echo 'Error from server (NotFound): no such pod' >&2; exit 1; }
              echo '{"metadata":{"name":"'$name'","uid":"'$name'"},"spec":{"containers":[{"name":"app","ports":[{"containerPort":PORT}]}]},'
              echo '"status":{"phase":"Running","containerStatuses":[{"name":"app","restartCount":0,"state":{"running":{}},"containerID":"'$name'"}]}}'
            }
            case "$1 $6" in
              config*) ;;
              "get deployment")
                echo '{"spec":{"replicas":1,"selector":{"matchLabels":{"app":"checkout"}},'
                echo '"template":{"spec":{"containers":[{"name":"app","env":['
                sed 's/^\\([^=]*\\)=\\(.*\\)$/{"name":"\\1","value":"\\2"},/; $ s/,$//' DIR/env
                echo ']}]}}}}' ;;
              "get pods") echo '{"items":['; [ ! -f DIR/pod ] || pod; echo ']}' ;;
              "get pod") pod "$7" ;;
              "get --ignore-not-found")
                grep '^JAVA_TOOL_OPTIONS=' DIR/env || echo =
                sed -n 's/^KILN_RUN=//p' DIR/env ;;
              set*)
                shift 7; cp DIR/env DIR/env.$$
                for word; do
                  sed -i "/^${word%%[-=]*}=/d" DIR/env.$$
                  case "$word" in *=*) echo "$word" >> DIR/env.$$ ;; esac
                done
                mv DIR/env.$$ DIR/env; echo set >> DIR/book ;;
              patch*) echo "$6" > DIR/deployed.$$; mv DIR/deployed.$$ DIR/deployed; echo patch >> DIR/book ;;
              exec*)
                pod "$5" > /dev/null
                # What is in a pod goes with it.
                own=DIR/pods/$name; mkdir -p $own; shift 8
                exec nsenter -t $pid --pid --mount \\
                    env KILN_JAVA_HOME=JDK TMPDIR=$own XDG_STATE_HOME=$own XDG_CACHE_HOME=AGENT "$@" ;;
            esac
            """;

    private final Path env = folder.resolve("env");
    private final int port = port();
    private final Thread controller = new Thread(this::control, "controller");
    private Process pod;
    private int pods;
    private volatile boolean over;

    Deployment(Path root, List<String> kilnWords) throws Exception {
        super(root, kilnWords);
        Files.writeString(env, OWN);
        script("bin/kubectl", KUBECTL
                .replace("DIR", folder.toString())
                .replace("PORT", Integer.toString(port))
                .replace("JDK", System.getProperty("java.home"))
                .replace("AGENT", agents().toString()));
        experiment("""
                target: {attach: 'kube:shop/deployment/checkout', restart: kubectl set env deployment/checkout -n shop JAVA_TOOL_OPTIONS}
                variants:
                  set: {environment: {JAVA_TOOL_OPTIONS: -Dtag=tagged}}
                  override: {beforeRun: ./do.sh override, afterRun: ./do.sh override-off}
                  patched:
                    beforeRun: [kubectl, patch, deployment/checkout, -n, shop, -p, 'limits: 2g']
                    afterRun: [kubectl, patch, deployment/checkout, -n, shop, -p, 'limits: 512m']
                """, port);
        rollOut(OWN);
        controller.start();
    }

    @Override
    Map<String, String> environment() {
        return Map.of("PATH", folder.resolve("bin") + ":" + System.getenv("PATH"));
    }

    private void control() {
        String had = OWN;
        try {
            while (!over) {
                String now = Files.readString(env);
                if (!now.equals(had)) {
                    rollOut(now);
                    had = now;
                }
                Thread.sleep(50);
            }
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Takes the old pod away, then starts the new one, which has nothing of Kiln's environment. */
    private void rollOut(String variables) throws IOException, InterruptedException {
        Files.deleteIfExists(folder.resolve("pod"));
        if (pod != null) {
            pod.destroyForcibly().waitFor();
        }
        ProcessBuilder builder = new ProcessBuilder(
                        "unshare", "--pid", "--fork", "--kill-child", "--mount-proc", java(), "-XX:TieredStopAtLevel=1",
                        target(), Integer.toString(port))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("pods.log").toFile()));
        builder.environment().clear();
        builder.environment().put("PATH", System.getenv("PATH"));
        variables.lines().map(line -> line.split("=", 2)).forEach(pair -> builder.environment().put(pair[0], pair[1]));
        pod = builder.start();
        long first = first();
        Path file = Files.writeString(folder.resolve("pod.new"), "checkout-" + ++pods + " " + first + "\n");
        Files.move(file, folder.resolve("pod"), java.nio.file.StandardCopyOption.ATOMIC_MOVE);
    }

    private long first() throws InterruptedException {
        while (pod.isAlive()) {
            var child = pod.children().findFirst();
            if (child.isPresent() && text(child.get().pid(), "comm").strip().equals("java")) {
                return child.get().pid();
            }
            Thread.sleep(10);
        }
        throw new IllegalStateException("the pod has ended: " + folder.resolve("pods.log"));
    }

    @Override
    List<String> changed() throws IOException {
        List<String> left = super.changed();
        if (!Files.readString(env).equals(OWN)) {
            left.add("the variables of the deployment");
        }
        return left;
    }

    /** Kiln has ended: what the deployment has must run too. */
    @Override
    List<String> left() throws IOException {
        List<String> left = super.left();
        Path now = folder.resolve("pod");
        String variables = Files.exists(now)
                ? text(Long.parseLong(Files.readString(now).strip().split(" ", -1)[1]), "environ")
                : "";
        if (!variables.contains("JAVA_TOOL_OPTIONS=-Down=1\0") || variables.contains("KILN_RUN")) {
            left.add("no pod with the deployment's own variables");
        }
        return left;
    }

    @Override
    public void close() throws IOException {
        over = true;
        try {
            controller.join();
            pod.destroyForcibly().waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        super.close();
    }
}
