package dev.kiln.report.html;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.imageio.ImageIO;
import tools.jackson.databind.JsonNode;

/** A page in {@link Chromium}, with all it asked for and all it complained of. */
final class BrowserPage implements Chromium.Events {
    /** Pairs of texts that cover one another, of those that can be seen. */
    private static final String OVERLAPS = """
            (() => {
              const texts = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
              const seen = (node, box) => {
                let { left, right, top, bottom } = box;
                for (let e = node.parentElement; e; e = e.parentElement) {
                  if (getComputedStyle(e).overflow === "visible") continue;
                  const clip = e.getBoundingClientRect();
                  left = Math.max(left, clip.left); right = Math.min(right, clip.right);
                  top = Math.max(top, clip.top); bottom = Math.min(bottom, clip.bottom);
                }
                return { node, left, right, top, bottom };
              };
              for (let node = walk.nextNode(); node; node = walk.nextNode()) {
                if (!node.data.trim() || !node.parentElement.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
                const range = document.createRange();
                range.selectNodeContents(node);
                for (const box of range.getClientRects()) texts.push(seen(node, box));
              }
              const shown = texts.filter(t => t.right - t.left > 1 && t.bottom - t.top > 1).sort((a, b) => a.top - b.top), found = [];
              shown.forEach((a, i) => {
                for (let j = i + 1; j < shown.length && shown[j].top < a.bottom - 3; j++) {
                  const b = shown[j];
                  if (a.node !== b.node && Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
                    && Math.min(a.bottom, b.bottom) - b.top > 3) found.push(a.node.data.trim() + " | " + b.node.data.trim());
                }
              });
              // Nobody can scroll there.
              for (const t of shown) if (t.left < -1) found.push("beyond the left edge | " + t.node.data.trim());
              return found.slice(0, 10);
            })()""";

    private final Chromium browser;
    private final String session;
    private final List<String> problems = Chromium.shared();
    private final List<String> requests = Chromium.shared();
    private volatile CompletableFuture<Void> loaded = new CompletableFuture<>();

    BrowserPage(Chromium browser, String session) {
        this.browser = browser;
        this.session = session;
    }

    void begin(int width, int height) {
        for (String domain : List.of("Page", "Runtime", "Log", "Network")) {
            call(domain + ".enable", Map.of());
        }
        size(width, height);
    }

    void size(int width, int height) {
        call(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
    }

    BrowserPage open(Path file) {
        navigate(file);
        return settled();
    }

    BrowserPage open(String url) {
        navigate(url);
        return settled();
    }

    void navigate(Path file) {
        navigate(file.toUri().toString());
    }

    private void navigate(String url) {
        loaded = new CompletableFuture<>();
        call("Page.navigate", Map.of("url", url));
        loaded.orTimeout(600, TimeUnit.SECONDS).join();
    }

    void withoutScripts() {
        call("Emulation.setScriptExecutionDisabled", Map.of("value", true));
    }

    void scheme(String lightOrDark) {
        call(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", lightOrDark))));
        settled();
    }

    void paper() {
        call("Emulation.setEmulatedMedia", Map.of("media", "print"));
        settled();
    }

    @Override
    public void on(String method, JsonNode parameters) {
        switch (method) {
            case "Page.loadEventFired" -> loaded.complete(null);
            case "Network.requestWillBeSent" ->
                requests.add(parameters.at("/request/url").asString());
            case "Runtime.exceptionThrown" -> problems.add(parameters.toString());
            case "Log.entryAdded" -> problems.add(parameters.at("/entry/text").asString());
            case "Runtime.consoleAPICalled" -> problems.add(parameters.toString());
            default -> {}
        }
    }

    /** Exceptions, and everything the console was told. */
    List<String> problems() {
        return problems;
    }

    List<String> requests() {
        return requests;
    }

    JsonNode eval(String expression) {
        JsonNode result =
                call("Runtime.evaluate", Map.of("expression", expression, "returnByValue", true, "awaitPromise", true));
        if (result.has("exceptionDetails")) {
            throw new IllegalStateException(expression + ": " + result.get("exceptionDetails"));
        }
        return result.at("/result/value");
    }

    /** Returns the texts that cover one another or begin left of the page, after all of the page was in sight: panels are drawn when they come into it. */
    JsonNode overlaps() {
        eval("""
                (async () => {
                  const frame = () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
                  for (let y = 0; y < document.scrollingElement.scrollHeight; y += innerHeight) {
                    scrollTo({ top: y, behavior: "instant" });
                    await frame();
                  }
                  scrollTo({ top: 0, behavior: "instant" });
                  await frame();
                })()""");
        return settled().eval(OVERLAPS);
    }

    /** Two frames later. */
    BrowserPage settled() {
        eval("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 30))))");
        return this;
    }

    BrowserPage key(String key) {
        boolean letter = key.length() == 1;
        call(
                "Input.dispatchKeyEvent",
                letter
                        ? Map.of("type", "keyDown", "key", key, "text", key)
                        : Map.of("type", "rawKeyDown", "key", key, "code", key));
        call("Input.dispatchKeyEvent", Map.of("type", "keyUp", "key", key));
        return settled();
    }

    /** @param code of Windows, by which the browser knows what a key does by itself */
    BrowserPage key(String key, int code) {
        Map<String, ?> press = Map.of("type", "rawKeyDown", "key", key, "code", key, "windowsVirtualKeyCode", code);
        call("Input.dispatchKeyEvent", press);
        call("Input.dispatchKeyEvent", Map.of("type", "keyUp", "key", key));
        return settled();
    }

    /** Coordinates in CSS pixels of the window. */
    BrowserPage move(double x, double y) {
        mouse("mouseMoved", x, y, "none");
        return settled();
    }

    BrowserPage drag(double fromX, double toX, double y) {
        mouse("mouseMoved", fromX, y, "none");
        mouse("mousePressed", fromX, y, "left");
        mouse("mouseMoved", (fromX + toX) / 2, y, "left");
        mouse("mouseMoved", toX, y, "left");
        mouse("mouseReleased", toX, y, "left");
        return settled();
    }

    BrowserPage click(String selector) {
        eval("document.querySelector(`" + selector + "`).scrollIntoView({block: 'center', behavior: 'instant'})");
        JsonNode box = box(selector);
        double x = box.get("x").asDouble() + box.get("width").asDouble() / 2;
        double y = box.get("y").asDouble() + box.get("height").asDouble() / 2;
        mouse("mousePressed", x, y, "left");
        mouse("mouseReleased", x, y, "left");
        return settled();
    }

    JsonNode box(String selector) {
        return eval("document.querySelector(`" + selector + "`).getBoundingClientRect().toJSON()");
    }

    BufferedImage picture() throws IOException {
        return ImageIO.read(new ByteArrayInputStream(
                bytes(call("Page.captureScreenshot", Map.of("format", "png")).path("data"))));
    }

    byte[] pdf() {
        return bytes(call(
                        "Page.printToPDF",
                        Map.of("generateTaggedPDF", true, "generateDocumentOutline", true, "preferCSSPageSize", true))
                .path("data"));
    }

    private static byte[] bytes(JsonNode data) {
        return Base64.getDecoder().decode(data.asString());
    }

    private void mouse(String type, double x, double y, String button) {
        call(
                "Input.dispatchMouseEvent",
                Map.of(
                        "type",
                        type,
                        "x",
                        x,
                        "y",
                        y,
                        "button",
                        button,
                        "buttons",
                        button.equals("left") ? 1 : 0,
                        "clickCount",
                        button.equals("left") ? 1 : 0));
    }

    void close() {
        call("Page.close", Map.of());
    }

    JsonNode call(String method, Map<String, ?> parameters) {
        return browser.call(session, method, parameters);
    }
}
