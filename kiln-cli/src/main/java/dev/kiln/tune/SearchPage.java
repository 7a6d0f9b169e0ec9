package dev.kiln.tune;

import dev.kiln.evidence.StudyFile;
import dev.kiln.report.Listed.StudyKind;
import dev.kiln.serve.Item;
import dev.kiln.serve.Library;
import dev.kiln.serve.Page;
import dev.kiln.serve.Pages;

/** A SearchPage shows a search for a cure as a table, which fills while the search goes on. */
public final class SearchPage implements Page {
    @Override
    public boolean shows(StudyKind kind) {
        return kind == StudyKind.SEARCH;
    }

    @Override
    public String html(Library library, String id) {
        Item item = library.item(id);
        SearchStages stages =
                SearchStages.of(library.inside(item).stream().map(Item::listed).toList());
        return new HtmlSearch(item.listed(), StudyFile.SEARCH.read(item.folder()), stages)
                .page(item.folder().toString(), System.currentTimeMillis(), Pages::link);
    }
}
