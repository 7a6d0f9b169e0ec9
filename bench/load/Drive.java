import dev.kiln.evidence.LoadFile;
import dev.kiln.load.LoadDriver;
import dev.kiln.load.LoadSession;
import dev.kiln.load.PhaseResult;
import dev.kiln.load.driver.NettyDriver;
import dev.kiln.load.driver.Trait;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.load.FeedTable;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.load.LoadSpec.Feed;
import dev.kiln.model.load.LoadSpec.HttpCall;
import dev.kiln.model.load.LoadSpec.Step;
import dev.kiln.model.load.LoadSpec.Variables;
import dev.kiln.model.load.Sending.Http2;
import dev.kiln.model.load.Sending.Tls;
import dev.kiln.model.load.Shape;
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
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Runs Kiln's load driver for the benchmark: warms it up, then takes lines "url connections seconds [word]..." and answers each
 * with "requests/s ns-of-CPU/request JIT-share errors max-lag-us". Words: {@code streams=N} for HTTP/2, {@code feed} for
 * requests that differ, {@code calls} for a mix of three calls below the URL, {@code session} for the same three in a session
 * with a cookie and a token, {@code cpus=0,1} for a driver on these CPUs with an event loop on each. With {@code ramp=FROM-TO} or
 * {@code steps=FROM-TO/NUMBER}, a rate that changes, the answer is "asked:sent" for each second. The arguments are the command
 * prefix of the other drivers.
 */
class Drive {
    private static final FeedTable FEED = feed();

    public static void main(String[] prefix) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        Path scratch = Files.createTempDirectory("kiln-bench");
        // As Kiln has it: one for each kind of load.
        Map<String, LoadDriver> drivers = new HashMap<>();
        try {
            System.out.println("ready");
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                List<String> words = List.of(line.split(" "));
                Set<Trait> traits = traits(words);
                List<String> cpus = cpus(words);
                LoadDriver driver = drivers.computeIfAbsent(
                        traits + " " + cpus, key -> warm(List.of(prefix), cpus, scratch, traits));
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
        if (words.contains("session")) {
            traits.add(Trait.SESSION);
        }
        return traits;
    }

    /** Of a driver of its own; none where the line does not say. */
    private static List<String> cpus(List<String> words) {
        return words.stream()
                .filter(word -> word.startsWith("cpus="))
                .flatMap(word -> Stream.of(word.substring("cpus=".length()).split(",")))
                .toList();
    }

    private static LoadDriver warm(List<String> prefix, List<String> cpus, Path scratch, Set<Trait> traits) {
        System.setProperty("kiln.driver.loops", Integer.toString(Math.max(1, cpus.size())));
        LoadDriver driver = new NettyDriver(
                cpus.isEmpty() ? prefix : List.of("taskset", "-c", String.join(",", cpus)),
                scratch,
                Optional.of(FEED),
                traits);
        System.err.println(driver.info() + " " + traits + " " + cpus + " " + driver.warmUp());
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
        FeedTable.FeedTableBuilder table = new FeedTable.FeedTableBuilder(List.of("id", "city"));
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
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());
        }
        List<HttpCall> calls = List.of(call);
        if (more.contains("calls") || more.contains("session")) {
            calls = calls(url, more.contains("session"));
        }
        OptionalDouble rate = more.stream()
                .flatMap(word -> shape(word).stream())
                .mapToDouble(Shape::most)
                .findFirst();
        LoadSpec spec = new LoadSpec(calls, connections, rate, Duration.ofSeconds(10));
        if (url.startsWith("https")) {
            spec = spec.with(new Tls(Optional.empty(), true));
        }
        for (String word : more) {
            if (word.startsWith("streams=")) {
                spec = spec.with(new Http2(Integer.parseInt(word.substring("streams=".length()))));
            } else if (word.equals("session")) {
                spec = spec.with(new Variables(1, Optional.empty()));
            } else if (word.equals("feed")) {
                spec = spec.with(
                        new Variables(1, Optional.of(new Feed("rows", FEED.rows(), Feed.Order.SHUFFLED, "none"))));
            }
        }
        return spec;
    }

    /** A log-in that answers with a cookie and a token, an item that wants both, and a log-out. */
    private static List<HttpCall> calls(String url, boolean inSession) {
        Map<String, String> token = Map.of("X-Token", inSession ? "${token}" : "0123456789abcdef0123456789abcdef");
        List<HttpCall> calls = List.of(
                HttpCall.get(URI.create(url + "/login")),
                new HttpCall(
                        "GET",
                        URI.create(url + "/item"),
                        token,
                        Optional.empty(),
                        1,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty()),
                HttpCall.get(URI.create(url + "/logout")));
        Map<String, String> take = Map.of("token", "json:/token");
        return !inSession
                ? calls
                : IntStream.range(0, calls.size())
                        .mapToObj(i -> calls.get(i).with(new Step(true, Duration.ZERO, i == 0 ? take : Map.of())))
                        .toList();
    }

    /** Of the rate. */
    private static Optional<Shape> shape(String word) {
        String[] parts = word.split("[=/-]");
        if (!word.startsWith("ramp=") && !word.startsWith("steps=")) {
            return Optional.empty();
        }
        double from = Double.parseDouble(parts[1]);
        double to = Double.parseDouble(parts[2]);
        return Optional.of(
                parts[0].equals("ramp")
                        ? Shape.ramp(Shape.Of.RATE, from, to)
                        : Shape.steps(Shape.Of.RATE, from, to, Integer.parseInt(parts[3])));
    }

    private static String measure(LoadDriver driver, Path scratch, List<String> words) throws IOException {
        Optional<Shape> shape =
                words.stream().skip(3).flatMap(word -> shape(word).stream()).findFirst();
        return shape.isPresent() ? perSecond(driver, scratch, words, shape.get()) : total(driver, scratch, words);
    }

    /** What was due in each second of a rate that changes, and what the driver's bins say was sent in it. */
    private static String perSecond(LoadDriver driver, Path scratch, List<String> words, Shape shape)
            throws IOException {
        LoadSpec spec = spec(words);
        int seconds = Integer.parseInt(words.get(2));
        Path load = scratch.resolve(LoadFile.NAME);
        Files.deleteIfExists(load);
        try (LoadSession session = driver.open(spec, scratch, System.nanoTime())) {
            System.err.println(words + " "
                    + session.load(
                            new Phase.Load(
                                    "bench",
                                    Duration.ofSeconds(seconds),
                                    Optional.empty(),
                                    Optional.of(shape),
                                    Optional.empty()),
                            tick -> {}));
        }
        List<LoadBin> bins = LoadFile.read(load).bins();
        long[] sent = new long[seconds];
        for (LoadBin bin : bins) {
            long since = bin.startNanos() - bins.getFirst().startNanos();
            sent[(int) Math.min(seconds - 1, since / 1_000_000_000)] += bin.started();
        }
        StringBuilder out = new StringBuilder();
        double sum = 0;
        for (int second = 0; second < seconds; second++) {
            double before = sum;
            for (int ms = 0; ms < 1000; ms++) {
                sum += shape.rate(spec, second + (ms + 0.5) / 1000, seconds) / 1000;
            }
            // The first is due at once, and each further one when the sum comes to its place.
            out.append(out.isEmpty() ? "" : " ")
                    .append(places(sum) - places(before))
                    .append(':')
                    .append(sent[second]);
        }
        return out.toString();
    }

    /** Whole numbers below a sum, which rounding must not move over one. */
    private static long places(double sum) {
        return (long) Math.ceil(sum - 1e-6);
    }

    private static String total(LoadDriver driver, Path scratch, List<String> words) {
        try (LoadSession session = driver.open(spec(words), scratch, System.nanoTime())) {
            Duration duration = Duration.ofSeconds(Long.parseLong(words.get(2)));
            PhaseResult r = session.load(new Phase.Load("bench", duration), tick -> {});
            System.err.println(words + " " + r);
            return String.format(
                    Locale.ROOT,
                    "%.0f %.0f %.5f %d %d",
                    r.requests().completed() * 1e9 / (r.endNanos() - r.startNanos()),
                    (double) r.work().cost().cpuNanos() / r.requests().completed(),
                    r.work().cost().jitShare(),
                    r.requests().errors().total(),
                    r.work().maxLagNanos() / 1000);
        }
    }
}
