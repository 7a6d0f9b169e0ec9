package dev.kiln.serve;

import dev.kiln.files.InputFile;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.report.Listed;
import dev.kiln.report.Listed.ListedJson;
import dev.kiln.report.Listed.StudyKind;
import dev.kiln.report.Listed.StudyState;
import dev.kiln.report.html.Frame;
import dev.kiln.report.html.HtmlIndex;
import dev.kiln.report.html.HtmlLive;
import dev.kiln.report.html.HtmlReport;
import dev.kiln.serve.WebServer.Document;
import dev.kiln.serve.WebServer.EventStream;
import dev.kiln.serve.WebServer.Redirect;
import dev.kiln.serve.WebServer.WebAnswer;
import dev.kiln.serve.WebServer.WebRequest;
import dev.kiln.text.PathText;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Pages answers each address with a page: the list, an experiment, a comparison, a history, or a live view. */
public final class Pages implements WebServer.Site {
    private static final String HTML = "text/html; charset=utf-8";

    private static final String ABOVE_TITLE = "<p class=\"eyebrow\">";

    /** This is the policy of Kiln's own pages: they load nothing, and their scripts ask this server alone. */
    private static final String OWN =
            "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; img-src data:;"
                    + " form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

    /**
     * This is the policy of recorded reports: anybody may have written such a folder, so the scripts of a report cannot
     * reach beyond their page. They may offer a file, as CSV and PNG of a panel are.
     */
    private static final String RECORDED =
            "sandbox allow-scripts allow-downloads; default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src"
                    + " data:; base-uri 'none'; frame-ancestors 'none'";

    /** A report has no more bytes than this; a report of thousands of runs has some MB. */
    private static final int MOST_REPORT = 128 << 20;

    /** So many experiments that were watched are kept. */
    static final int MOST_LIVE = 8;

    private final Library library;
    private final List<Page> products = Page.all();
    private final Overlay overlay;
    private final Map<String, Live> live = new LinkedHashMap<>();

    /** @param leftOut takes a sentence for each run that cannot be read */
    public Pages(Library library, Consumer<String> leftOut) {
        this.library = library;
        this.overlay = new Overlay(library, leftOut);
    }

    /** Serves these pages until it is closed, with a token that each request needs, if there is one. */
    public WebServer start(InetSocketAddress address, Optional<String> token, PrintWriter log) {
        return WebServer.start(address, token, this, log);
    }

    /** Returns the address of the page that shows an experiment while it runs. */
    public static String watch(String id) {
        return "/watch/" + PathText.inUrl(id);
    }

    @Override
    public WebAnswer answer(WebRequest request) {
        String path = request.path();
        int slash = path.indexOf('/', 1);
        String room = slash < 0 ? path : path.substring(0, slash);
        String id = slash < 0 ? "" : path.substring(slash + 1);
        try {
            return answer(request, room, id);
        } catch (KilnException e) {
            // Programs read these two.
            if (room.equals("/api") || room.equals("/live")) {
                throw e;
            }
            return refusal(e);
        }
    }

    /** Returns a page that says why there is no other one, with a way back. */
    private Document refusal(KilnException e) {
        boolean absent = e.exit() == Exit.USAGE;
        String page = Frame.page(
                absent ? "Not found" : "Cannot be shown",
                absent ? "404" : "500",
                // A message may begin with the name of a folder or a command: it is no headline.
                Frame.conclusion(absent ? "Nothing to show here" : "This page could not be made")
                        + Frame.lines(
                                "about",
                                Stream.of(String.valueOf(e.getMessage()), e.remedy())
                                        // The way back is a link here.
                                        .filter(text -> !text.isEmpty() && !text.equals(whereTheListIs()))
                                        .toList())
                        + "<p class=\"about\"><a href=\"" + home() + "\">Back to all experiments</a></p>",
                "",
                "");
        return inside(page, absent ? 404 : 500, OWN);
    }

    private WebAnswer answer(WebRequest request, String room, String id) {
        return switch (room) {
            case "/" ->
                library.isSearch() && request.first("page").isEmpty()
                        ? experiment(library.item("."))
                        : list(page(request));
            case "/api" ->
                id.equals("experiments")
                        ? new Document(
                                200,
                                "application/json",
                                ListedJson.render(listed(page(request))).getBytes(StandardCharsets.UTF_8),
                                "")
                        : unknown(request.path());
            case "/experiment" -> experiment(library.item(id));
            case "/compare" ->
                inside(
                        overlay.page(
                                request.query().getOrDefault("v", List.of()),
                                request.first("from").filter("launch"::equals).isPresent()),
                        OWN);
            case "/watch" -> inside(watched(library.item(id)), OWN);
            case "/live" -> {
                Live of = live(library.item(id));
                int from = request.lastEvent()
                        .filter(number -> number.matches("\\d{1,9}"))
                        .map(Integer::parseInt)
                        .orElse(0);
                yield new EventStream(out -> of.write(out, from));
            }
            default ->
                products.stream()
                        .filter(page -> page.at(room))
                        .findFirst()
                        .<WebAnswer>map(page -> inside(page.html(library, id), OWN))
                        .orElseGet(() -> unknown(request.path()));
        };
    }

    private static String watched(Item item) {
        String id = item.listed().id();
        return HtmlLive.page(
                item.listed().name(),
                "/live/" + PathText.inUrl(id),
                link(id),
                item.folder().resolve(HtmlReport.FILE).toString());
    }

    private WebAnswer unknown(String path) {
        throw KilnException.usage("there is nothing at " + path, whereTheListIs());
    }

    private String whereTheListIs() {
        return "the list is at " + home();
    }

    private static Document html(String page, int status, String policy) {
        return new Document(status, HTML, page.getBytes(StandardCharsets.UTF_8), policy);
    }

    private Document inside(String page, String policy) {
        return inside(page, 200, policy);
    }

    /** Returns the address of the list; where the root is a search, the first page is its own. */
    private String home() {
        return library.isSearch() ? "/?page=1" : "/";
    }

    /** Returns a page with a link back to the list, above its title. */
    private Document inside(String page, int status, String policy) {
        int title = page.indexOf(ABOVE_TITLE) + ABOVE_TITLE.length();
        return html(
                title < ABOVE_TITLE.length()
                        ? page
                        : page.substring(0, title) + "<a href=\"" + home() + "\">all experiments</a> \u00b7 "
                                + page.substring(title),
                status,
                policy);
    }

    private static int page(WebRequest request) {
        return request.first("page")
                .filter(number -> number.matches("\\d{1,6}"))
                .map(Integer::parseInt)
                .orElse(1);
    }

    private Document list(int number) {
        Library.Page page = library.page(number);
        return html(
                HtmlIndex.page(
                        page.items().stream().map(Item::listed).toList(),
                        new HtmlIndex.PagePlace(library.root().toString(), page.number(), page.pages())),
                200,
                OWN);
    }

    private List<Listed> listed(int page) {
        return library.page(page).items().stream().map(Item::listed).toList();
    }

    /** Waits until all that watch this experiment have its last event, but no longer than that. */
    void awaitViewers(String id, Duration most) {
        Optional<Live> watched;
        synchronized (this) {
            watched = Optional.ofNullable(live.get(id));
        }
        try {
            if (watched.isPresent()) {
                watched.get().awaitViewers(System.nanoTime() + most.toNanos());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized Live live(Item item) {
        String id = item.listed().id();
        Live known = live.get(id);
        if (known == null || (known.isOver() && item.listed().state() == StudyState.RUNNING)) {
            live.remove(id);
            forget();
            known = new Live(library, item, overlay::assessed);
            live.put(id, known);
        }
        return known;
    }

    /** Returns how many experiments that were watched are kept. */
    synchronized int kept() {
        return live.size();
    }

    /** Forgets what nobody watches where there is much: all events of an experiment are in memory. */
    private void forget() {
        Iterator<Live> all = live.values().iterator();
        while (live.size() >= MOST_LIVE && all.hasNext()) {
            if (!all.next().isWatched()) {
                all.remove();
            }
        }
    }

    /** Returns the report as it was written; an experiment without one is judged now, and nothing is written. */
    private WebAnswer experiment(Item item) {
        Optional<Page> own = products.stream()
                .filter(page -> page.shows(item.listed().kind()))
                .findFirst();
        if (own.isPresent()) {
            return inside(own.get().html(library, item.listed().id()), OWN);
        }
        if (item.listed().state() == StudyState.UNREADABLE) {
            throw KilnException.usage(
                    item.listed().problem().orElse(item.listed().id() + " cannot be read"), whereTheListIs());
        }
        if (item.listed().state() == StudyState.RUNNING) {
            return new Redirect(watch(item.listed().id()));
        }
        Path report = item.folder().resolve(HtmlReport.FILE);
        boolean written = InputFile.isThere(report);
        if (item.listed().kind() == StudyKind.SOAK && !written) {
            throw KilnException.usage(
                    item.listed().id() + " is a soak without a report",
                    "kiln soak --resume " + item.folder() + " continues it, or writes the report if it is finished");
        }
        try {
            String page = written ? InputFile.text(report, MOST_REPORT) : HtmlReport.render(overlay.assessed(item));
            return inside(page, RECORDED);
        } catch (IOException e) {
            throw KilnException.machine(e, "cannot read " + report, "kiln report writes it again");
        }
    }

    /** Returns the address of the page of a folder. */
    public static String link(String id) {
        return "/experiment/" + PathText.inUrl(id);
    }
}
