package dev.kiln.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;

/** Output that scripts depend on, held against a file that was looked at, as people elsewhere would get it. */
public final class Golden {
    private Golden() {}

    /** {@code -Dkiln.golden=write} takes the output as it is, to be looked at before it is committed. */
    public static void check(String resource, Supplier<String> output) {
        if ("write".equals(System.getProperty("kiln.golden"))) {
            write(resource, output.get());
        }
        for (String locale : new String[] {"en-US", "tr-TR", "de-DE"}) {
            assertThat(Locales.under(locale, output))
                    .as(resource + " under " + locale)
                    .isEqualTo(text(resource));
        }
    }

    private static String text(String resource) {
        try (InputStream in = Files.newInputStream(file(resource))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(String resource, String text) {
        try {
            Files.writeString(file(resource), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path file(String resource) {
        return Path.of("src/test/resources/dev/kiln").resolve(resource);
    }
}
