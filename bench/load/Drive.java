import dev.kiln.load.LoadDriver;
import dev.kiln.load.LoadSession;
import dev.kiln.load.driver.NettyDriver;
import dev.kiln.load.PhaseResult;
import dev.kiln.model.LoadSpec.HttpCall;
import dev.kiln.model.LoadSpec;
import dev.kiln.model.Protocol.Phase;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * Runs Kiln's load driver for the benchmark: warms it up, then takes lines "url connections seconds" and answers each with
 * "requests/s ns-of-CPU/request JIT-share errors max-lag-us". The arguments are the driver's command prefix.
 */
class Drive {
    public static void main(String[] prefix) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        Path scratch = Files.createTempDirectory("kiln-bench");
        try (LoadDriver driver = new NettyDriver(List.of(prefix))) {
            System.err.println(driver.info());
            System.err.println(driver.warmUp());
            System.out.println("ready");
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String[] words = line.split(" ");
                System.out.println(measure(driver, scratch, words[0], words[1], words[2]));
            }
        }
        Files.deleteIfExists(scratch.resolve("load.csv"));
        Files.deleteIfExists(scratch.resolve("latency.hlog"));
        Files.delete(scratch);
    }

    private static String measure(LoadDriver driver, Path scratch, String url, String connections, String seconds) {
        LoadSpec spec = new LoadSpec(
                List.of(HttpCall.get(URI.create(url))),
                Integer.parseInt(connections),
                OptionalDouble.empty(),
                Duration.ofSeconds(10));
        try (LoadSession session = driver.open(spec, scratch, System.nanoTime())) {
            Duration duration = Duration.ofSeconds(Long.parseLong(seconds));
            PhaseResult r = session.load(new Phase.Load("bench", duration), tick -> {});
            System.err.println(r);
            return String.format(
                    Locale.ROOT,
                    "%.0f %.0f %.5f %d %d",
                    r.requests().completed() * 1e9 / (r.endNanos() - r.startNanos()),
                    (double) r.cost().cpuNanos() / r.requests().completed(),
                    r.cost().jitShare(),
                    r.requests().errors().total(),
                    r.maxLagNanos() / 1000);
        }
    }
}
