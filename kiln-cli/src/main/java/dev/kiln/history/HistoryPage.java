package dev.kiln.history;

import dev.kiln.explain.study.PastRun;
import dev.kiln.model.KilnException;
import dev.kiln.model.Metric;
import dev.kiln.model.Metric.MetricUse;
import dev.kiln.model.run.Summary;
import dev.kiln.model.run.Summary.OfRun;
import dev.kiln.serve.Library;
import dev.kiln.serve.Page;
import dev.kiln.serve.Pages;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;

/** A HistoryPage shows every experiment of one name, in the order of their launches. */
public final class HistoryPage implements Page {
    @Override
    public boolean at(String room) {
        return room.equals("/service");
    }

    @Override
    public String html(Library library, String name) {
        List<PastRun> runs = new ArrayList<>();
        List<String> revised = new ArrayList<>();
        library.all().filter(item -> item.listed().name().equals(name)).forEach(item -> {
            runs.addAll(item.past());
            item.summary().ifPresent(summary -> revised(item.listed().id(), summary, revised));
        });
        if (runs.isEmpty()) {
            throw KilnException.usage("no experiment named " + name + " was judged", "the list is at /");
        }
        History history = History.of(runs, EnumSet.copyOf(Metric.all(MetricUse.FOLLOWED)));
        return HtmlHistory.page(
                history, name, run -> Optional.of(Pages.link(run.name().folder())), revised);
    }

    /** Adds a note for each run whose verdict was replaced by a later one. */
    private static void revised(String id, Summary summary, List<String> notes) {
        summary.variants().forEach(variant -> {
            for (OfRun run : variant.runs()) {
                run.earlier()
                        .forEach(before -> notes.add("revised: " + id + ", " + variant.name() + " run " + run.run()
                                + " was " + before.verdict() + " by Kiln " + before.kilnVersion() + ", and is "
                                + run.verdict() + " by Kiln " + summary.kilnVersion()));
            }
        });
    }
}
