import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/** A Chromium without a window, which opens pages of evidence whose texts are scripts. */
final class Browser {
    /** Closes what a text may stand in: an attribute, an element, a script. */
    static final String SCRIPT = "'\"></b></title></script></style><img src=x onerror=\"document.title='PWNED'\">"
            + "<script>document.title='PWNED'</script><b id=injected>\u2028${document.title='PWNED'}`";

    /** Whose values are free text; those of others are one of a few, or evidence is refused before it is shown. */
    private static final Pattern FREE = Pattern.compile(
            "experiment|variant|variants|name|host|conclusion|verdict|jdk|kernel|cpuModel|scheduler|driver|outcomeDetail|notes|sources|kilnVersion");

    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome");

    private Browser() {}

    static Optional<Path> find() {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
                .flatMap(folder -> NAMES.stream().map(name -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Puts the script into every recorded field. */
    static void poison(Path experiment) throws IOException {
        try (Stream<Path> all = Files.walk(experiment)) {
            for (Path file : all.filter(file -> file.endsWith("run.json") || file.endsWith("summary.json")).toList()) {
                JsonNode tree = JsonMapper.shared().readTree(Files.readString(file));
                poison(tree, "");
                Files.writeString(file, JsonMapper.shared().writeValueAsString(tree));
            }
        }
    }

    private static void poison(JsonNode node, String key) {
        if (node instanceof ObjectNode object) {
            for (Map.Entry<String, JsonNode> field : List.copyOf(object.properties())) {
                if (field.getValue().isString() && FREE.matcher(field.getKey()).matches()) {
                    object.put(field.getKey(), field.getValue().asString() + SCRIPT);
                } else {
                    poison(field.getValue(), field.getKey());
                }
            }
        } else if (node instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                if (array.get(i).isString() && FREE.matcher(key).matches()) {
                    array.set(i, StringNode.valueOf(array.get(i).asString() + SCRIPT));
                } else {
                    poison(array.get(i), key);
                }
            }
        }
    }

    /** The page after its scripts ran; empty if the browser did not end. */
    static Optional<String> dom(Path browser, Path scratch, String url) throws IOException, InterruptedException {
        Path dom = scratch.resolve("dom");
        Process process = new ProcessBuilder(
                        browser.toString(),
                        "--headless=new",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--user-data-dir=" + scratch.resolve("profile"),
                        "--virtual-time-budget=3000",
                        "--dump-dom",
                        url)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .redirectOutput(dom.toFile())
                .start();
        if (!process.waitFor(120, TimeUnit.SECONDS)) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
            return Optional.empty();
        }
        return Optional.of(Files.readString(dom));
    }

    static boolean ran(String dom) {
        return dom.contains("<title>PWNED") || dom.contains("id=\"injected\"");
    }

    /** Whether the text is there at all: a page without it shows nothing. */
    static boolean shows(String dom) {
        return dom.contains("onerror=");
    }

    /** {@code kiln serve}, and where it answers. */
    record Server(Process process, String address) implements AutoCloseable {
        private static final Pattern ADDRESS = Pattern.compile("http://[^\\s]+");

        static Server of(String kiln, Path folder) throws IOException {
            Process process = new ProcessBuilder(kiln, "serve", folder.toString(), "--listen", "127.0.0.1:0").redirectErrorStream(true).start();
            BufferedReader said = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
            for (String line = said.readLine(); line != null; line = said.readLine()) {
                Matcher found = ADDRESS.matcher(line);
                if (found.find()) {
                    return new Server(process, found.group().replaceAll("/$", ""));
                }
            }
            throw new IOException("kiln serve ended");
        }

        @Override
        public void close() {
            process.descendants().forEach(ProcessHandle::destroy);
            process.destroy();
        }
    }
}
