package dev.kiln.report.html;

import dev.kiln.jvm.flight.StackSamples.Stacks;
import dev.kiln.text.Show;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * A FlameGraph draws CPU samples as one self-contained HTML file: a frame is as wide as its share of the samples, with
 * callers below. The difference of two profiles is drawn as in B. Gregg's differential flame graphs: the widths are
 * those of the current profile, red has a greater share of the time than before, and blue a smaller one.
 */
public final class FlameGraph {
    private static final int WIDTH = 1200;
    private static final int ROW = 17;

    /** This is the least width of a frame in px: narrower ones would only be visible after zooming in far. */
    private static final double LEAST = 0.1;

    /** This is the width of a letter in 11 px monospace, in px. */
    private static final double LETTER = 6.7;

    /** The difference in percentage points that has the full colour. */
    private static final double FULL = 3;

    private static final String TAIL = """
            <script>
            const frames = [...document.querySelectorAll('g[data-s]')];
            document.getElementById('find').addEventListener('input', event => {
              const wanted = event.target.value.toLowerCase();
              let hits = 0;
              for (const frame of frames) {
                const hit = wanted !== '' && frame.firstChild.textContent.toLowerCase().includes(wanted);
                frame.classList.toggle('hit', hit);
                hits += hit;
              }
              document.getElementById('found').textContent = wanted === '' ? '' : hits + ' frames';
            });
            const full = document.querySelector('svg').viewBox.baseVal.width;
            const boxes = frames.map(frame => {
              const box = frame.querySelector('rect');
              const title = frame.firstChild.textContent;
              return {frame, box, name: title.slice(0, title.lastIndexOf(': ')),
                x: +box.getAttribute('x'), y: +box.getAttribute('y'), width: +box.getAttribute('width')};
            });
            function label(one, x, width) {
              let text = one.frame.querySelector('text');
              const letters = Math.floor((width - 6) / LETTER);
              if (!text && letters >= 3) {
                text = document.createElementNS('http://www.w3.org/2000/svg', 'text');
                text.setAttribute('y', one.y + 12);
                one.frame.append(text);
              }
              if (text) {
                text.setAttribute('x', x + 3);
                text.textContent = letters < 3 ? ''
                  : one.name.length <= letters ? one.name : '..' + one.name.slice(one.name.length - letters + 2);
              }
            }
            function zoom(to) {
              const rounding = 0.02;
              for (const one of boxes) {
                const caller = one.y > to.y && one.x <= to.x + rounding
                  && one.x + one.width >= to.x + to.width - rounding;
                const callee = one.y <= to.y && one.x >= to.x - rounding
                  && one.x + one.width <= to.x + to.width + rounding;
                one.frame.style.display = caller || callee ? '' : 'none';
                const x = caller ? 0 : (one.x - to.x) * full / to.width;
                const width = caller ? full : one.width * full / to.width;
                one.box.setAttribute('x', x);
                one.box.setAttribute('width', width);
                label(one, x, width);
              }
            }
            boxes.forEach(one => one.frame.addEventListener('click', () => zoom(one)));
            document.addEventListener('keydown', event => {
              if (event.key === 'Escape' && boxes.length > 0) {
                zoom(boxes[0]);
              }
            });
            </script></body></html>
            """;

    private final FlameFrame root;
    private final boolean difference;
    private final int height;
    private final StringBuilder out = new StringBuilder();

    private FlameGraph(FlameFrame root, boolean difference) {
        this.root = root;
        this.difference = difference;
        this.height = root.depth() * ROW;
    }

    /** Returns the graph of one profile. */
    public static String of(String title, Stacks stacks) {
        String how =
                Show.whole(stacks.total()) + " samples of running threads. A frame is as wide as its share of them;"
                        + " callers are below, and what ran is on top.";
        return new FlameGraph(FlameFrame.of(stacks, new Stacks(Map.of())), false).page(title, how);
    }

    /** Returns the graph of how a profile differs from an earlier one. */
    public static String difference(String title, Stacks now, Stacks before) {
        String how = Show.whole(now.total()) + " samples now, " + Show.whole(before.total())
                + " before. A frame is as wide as its share of the time now; red had less before, blue more. What has gone"
                + " has no width: turn the two around to see it.";
        return new FlameGraph(FlameFrame.of(now, before), true).page(title, how);
    }

    private static String head(String title, String how) {
        return """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>%1$s</title><style>
            body{font:14px system-ui,sans-serif;margin:1rem;color:#222;background:#fff}
            svg{font:11px ui-monospace,monospace;display:block;max-width:100%%}
            rect{stroke:#fff;stroke-width:.5}
            g{cursor:zoom-in}
            g.hit rect{stroke:#000;stroke-width:1.5}
            input{font:inherit;padding:.2rem .4rem}
            </style></head><body><h1>%1$s</h1><p>%2$s</p>
            <p><label>Find <input id="find" type="search" placeholder="part of a name"></label> <output id="found"></output>
            A click on a frame zooms in. A click on the lowest frame, or Escape, zooms out.</p>
            """.formatted(Html.escape(title), Html.escape(how));
    }

    private String page(String title, String how) {
        out.append(head(title, how));
        out.append("<svg role=\"img\" viewBox=\"0 0 " + WIDTH + " " + height + "\" width=\"" + WIDTH + "\" height=\""
                + height + "\">\n");
        draw(root, 0, 0);
        return out.append("</svg>\n")
                .append(TAIL.replace("LETTER", Double.toString(LETTER)))
                .toString();
    }

    private void draw(FlameFrame frame, double x, int level) {
        double width = WIDTH * share(frame.now, root.now);
        if (width < LEAST) {
            return;
        }
        double y = height - (level + 1.0) * ROW;
        out.append(String.format(
                Locale.ROOT,
                "<g data-s=\"%d\"><title>%s</title><rect x=\"%.2f\" y=\"%.0f\" width=\"%.2f\" height=\"%d\" fill=\"%s\"/>",
                frame.now,
                Html.escape(words(frame)),
                x,
                y,
                width,
                ROW,
                colour(frame)));
        int letters = (int) ((width - 6) / LETTER);
        if (letters >= 3) {
            out.append(String.format(
                    Locale.ROOT,
                    "<text x=\"%.1f\" y=\"%.0f\">%s</text>",
                    x + 3,
                    y + 12,
                    Html.escape(cut(frame.name, letters))));
        }
        out.append("</g>\n");
        double at = x;
        for (FlameFrame callee : frame.callees.values()) {
            draw(callee, at, level + 1);
            at += WIDTH * share(callee.now, root.now);
        }
    }

    private String words(FlameFrame frame) {
        String now = String.format(Locale.ROOT, "%s: %.2f %%", frame.name, 100 * share(frame.now, root.now));
        return difference
                ? now
                        + String.format(
                                Locale.ROOT,
                                " now, %.2f %% before (%+.2f points)",
                                100 * share(frame.before, root.before),
                                points(frame))
                : now + ", " + frame.now + " samples";
    }

    private double points(FlameFrame frame) {
        return 100 * (share(frame.now, root.now) - share(frame.before, root.before));
    }

    private static double share(long part, long whole) {
        return whole == 0 ? 0 : (double) part / whole;
    }

    private String colour(FlameFrame frame) {
        if (!difference) {
            // By the package, so that neighbours of one library look alike.
            int dot = frame.name.indexOf('.', frame.name.indexOf('.') + 1);
            int hash = Math.floorMod((dot < 0 ? frame.name : frame.name.substring(0, dot)).hashCode(), 40);
            return "hsl(" + (15 + hash) + ",85%,66%)";
        }
        double strength = Math.min(1, Math.abs(points(frame)) / FULL);
        return "hsl(" + (points(frame) > 0 ? 0 : 215) + ",80%," + Math.round(96 - 36 * strength) + "%)";
    }

    private static String cut(String name, int letters) {
        // What differs between frames is at the end of a name.
        return name.length() <= letters ? name : ".." + name.substring(name.length() - letters + 2);
    }

    /** A FlameFrame is a node of two profiles laid over each other, as a tree. */
    private static final class FlameFrame {
        final String name;
        final Map<String, FlameFrame> callees = new TreeMap<>();
        long now;
        long before;

        private FlameFrame(String name) {
            this.name = name;
        }

        /** Returns the root of the tree; {@code before} is empty where nothing is compared. */
        static FlameFrame of(Stacks now, Stacks before) {
            FlameFrame root = new FlameFrame("all");
            now.samples().forEach((stack, count) -> root.add(stack, count, 0));
            before.samples().forEach((stack, count) -> root.add(stack, 0, count));
            return root;
        }

        private void add(String stack, long ofNow, long ofBefore) {
            FlameFrame node = this;
            node.now += ofNow;
            node.before += ofBefore;
            for (String frame : stack.split(";", -1)) {
                node = node.callees.computeIfAbsent(frame, FlameFrame::new);
                node.now += ofNow;
                node.before += ofBefore;
            }
        }

        int depth() {
            return 1
                    + callees.values().stream()
                            .mapToInt(FlameFrame::depth)
                            .max()
                            .orElse(0);
        }
    }
}
