import dev.kiln.load.LoadDriver;
import dev.kiln.load.LoadSession;
import dev.kiln.load.PhaseResult;
import dev.kiln.load.driver.NettyDriver;
import dev.kiln.load.driver.NettyDriver.Trait;
import dev.kiln.model.FeedTable;
import dev.kiln.model.LoadSpec;
import dev.kiln.model.LoadSpec.Feed;
import dev.kiln.model.LoadSpec.Http2;
import dev.kiln.model.LoadSpec.HttpCall;
import dev.kiln.model.LoadSpec.Tls;
import dev.kiln.model.LoadSpec.Variables;
import dev.kiln.model.Protocol.Phase;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * Runs Kiln's load driver for the benchmark: warms it up, then takes lines "url connections seconds [word]..." and answers each
 * with "requests/s ns-of-CPU/request JIT-share errors max-lag-us". Words: {@code streams=N} for HTTP/2, {@code feed} for
 * requests that differ. The arguments are the driver's command prefix.
 */
class Drive {
    private static final FeedTable FEED = feed();

    public static void main(String[] prefix) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        Path scratch = Files.createTempDirectory("kiln-bench");
        // As Kiln has it: one for each kind of load.
        Map<Set<Trait>, LoadDriver> drivers = new HashMap<>();
        try {
            System.out.println("ready");
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                List<String> words = List.of(line.split(" "));
                LoadDriver driver =
                        drivers.computeIfAbsent(traits(words), traits -> warm(List.of(prefix), scratch, traits));
                System.out.println(measure(driver, scratch, words));
            }
        } finally {
            drivers.values().forEach(LoadDriver::close);
            delete(scratch);
        }
    }

    private static Set<Trait> traits(List<String> words) {
        Set<Trait> traits = EnumSet.noneOf(Trait.class);
        if (words.get(0).startsWith("https")) {
            traits.add(Trait.TLS);
        }
        if (words.stream().anyMatch(word -> word.startsWith("streams="))) {
            traits.add(Trait.HTTP2);
        }
        if (words.contains("feed")) {
            traits.add(Trait.VARIED);
        }
        return traits;
    }

    private static LoadDriver warm(List<String> prefix, Path scratch, Set<Trait> traits) {
        LoadDriver driver = new NettyDriver(prefix, scratch, Optional.of(FEED), traits);
        System.err.println(driver.info() + " " + traits + " " + driver.warmUp());
        return driver;
    }

    private static void delete(Path scratch) throws IOException {
        try (Stream<Path> files = Files.list(scratch)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(scratch);
    }

    private static FeedTable feed() {
        FeedTable.Builder table = new FeedTable.Builder(List.of("id", "city"));
        for (int i = 0; i < 10_000; i++) {
            table.add(List.of(Integer.toString(1000 + i), "city of row " + i));
        }
        return table.build();
    }

    private static LoadSpec spec(List<String> words) {
        String url = words.get(0);
        int connections = Integer.parseInt(words.get(1));
        List<String> more = words.subList(3, words.size());
        HttpCall call = HttpCall.get(URI.create(url));
        if (more.contains("feed")) {
            call = new HttpCall(
                    "GET",
                    URI.create(url + "?id=%24%7Bid%7D&page=%24%7Brandom:1-50%7D"),
                    Map.of("X-City", "${city}", "X-Request-Id", "${uuid}"),
                    Optional.empty(),
                    1,
                    Optional.empty());
        }
        LoadSpec spec = new LoadSpec(List.of(call), connections, OptionalDouble.empty(), Duration.ofSeconds(10));
        if (url.startsWith("https")) {
            spec = spec.with(new Tls(Optional.empty(), true));
        }
        for (String word : more) {
            if (word.startsWith("streams=")) {
                spec = spec.with(new Http2(Integer.parseInt(word.substring("streams=".length()))));
            } else if (word.equals("feed")) {
                spec = spec.with(
                        new Variables(1, Optional.of(new Feed("rows", FEED.rows(), Feed.Order.SHUFFLED, "none"))));
            }
        }
        return spec;
    }

    private static String measure(LoadDriver driver, Path scratch, List<String> words) {
        try (LoadSession session = driver.open(spec(words), scratch, System.nanoTime())) {
            Duration duration = Duration.ofSeconds(Long.parseLong(words.get(2)));
            PhaseResult r = session.load(new Phase.Load("bench", duration), tick -> {});
            System.err.println(words + " " + r);
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
