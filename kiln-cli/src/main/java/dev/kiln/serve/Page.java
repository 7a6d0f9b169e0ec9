package dev.kiln.serve;

import dev.kiln.report.Listed.StudyKind;
import java.util.List;
import java.util.ServiceLoader;

/**
 * A Page is one that a product shows of a library: for each folder of its own kind, or at addresses of its own.
 * Products are listed in {@code META-INF/services}, so that the server knows none of them.
 */
public interface Page {
    /** Tells whether this is the page of each folder of that kind. */
    default boolean shows(StudyKind kind) {
        return false;
    }

    /** Tells whether this page is at the addresses that begin with this word, such as {@code /service}. */
    default boolean at(String room) {
        return false;
    }

    /** Returns the page of what follows the room: a folder's id, or what the product gives links to. */
    String html(Library library, String name);

    /** Returns the pages of all products. */
    static List<Page> all() {
        return ServiceLoader.load(Page.class, Page.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
    }
}
