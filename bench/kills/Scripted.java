import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A Scripted service is started and stopped by scripts, and did not run before. */
final class Scripted extends UndonePlace {
    Scripted(Path root, List<String> kilnWords) throws IOException {
        super(root, kilnWords);
        int port = port();
        script("start.sh", """
                set -e
                ./stop.sh
                echo "restart" >> book
                nohup %s -XX:TieredStopAtLevel=1 -Dtag="$TAG" %s %d > service.log 2>&1 &
                echo $! > service.pid
                """.formatted(java(), target(), port));
        script("stop.sh", """
                [ -f service.pid ] || exit 0
                pid=$(cat service.pid); kill -9 $pid 2>/dev/null
                while [ -e /proc/$pid/exe ]; do sleep 0.05; done
                rm -f service.pid
                """);
        experiment("""
                target: {attach: 'port:%d', restart: ./start.sh, stop: ./stop.sh}
                variants:
                  environment: {environment: {TAG: tagged}}
                  override: {beforeRun: ./do.sh override, afterRun: ./do.sh override-off}
                  patch: {beforeRun: ./do.sh patch, afterRun: ./do.sh patch-off}
                """.formatted(port), port);
    }

    @Override
    List<String> changed() throws IOException {
        List<String> left = super.changed();
        if (processes().stream().anyMatch(process -> process.contains("Target.java"))) {
            left.add(
                    processes().stream().anyMatch(process -> process.contains("-Dtag=tagged"))
                            ? "a service with the variable"
                            : "a service");
        }
        return left;
    }
}
