package dev.kiln.report;

import java.util.Locale;
import java.util.function.Supplier;

/** Runs code as it would run for people elsewhere. */
public final class Locales {
    private Locales() {}

    public static <T> T under(String tag, Supplier<T> code) {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag(tag));
        try {
            return code.get();
        } finally {
            Locale.setDefault(before);
        }
    }
}
