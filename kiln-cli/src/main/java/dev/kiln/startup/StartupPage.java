package dev.kiln.startup;

import dev.kiln.compare.Comparer;
import dev.kiln.evidence.StudyFile;
import dev.kiln.report.Listed.StudyKind;
import dev.kiln.serve.Item;
import dev.kiln.serve.Library;
import dev.kiln.serve.Page;

/** A StartupPage shows a comparison of starts, assessed anew from what was recorded. */
public final class StartupPage implements Page {
    @Override
    public boolean shows(StudyKind kind) {
        return kind == StudyKind.STARTUP;
    }

    @Override
    public String html(Library library, String id) {
        Item item = library.item(id);
        StartupResult result = new StartupAssessment(Comparer.EFFECT).of(StudyFile.STARTUP.read(item.folder()));
        return HtmlStartup.page(item.listed().name(), result);
    }
}
