package dev.kiln.report.html;

import com.github.weisj.jsvg.SVGDocument;
import com.github.weisj.jsvg.parser.LoaderContext;
import com.github.weisj.jsvg.parser.SVGLoader;
import dev.kiln.model.KilnException;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import javax.imageio.ImageIO;

/** A PngPicture is an SVG picture as PNG, in its own size and with the fonts of this machine. */
public final class PngPicture {
    private PngPicture() {}

    /** Refuses where Java cannot draw: there is no font, or the runtime has no module for it. */
    public static byte[] of(String svg) {
        System.setProperty("java.awt.headless", "true");
        try {
            return Drawing.of(svg);
        } catch (RuntimeException | Error e) {
            // Whatever is missing, each JDK says it with another one of these.
            throw KilnException.machine(
                    "cannot draw PNG here: " + Objects.requireNonNullElse(e.getMessage(), e.toString()),
                    "it takes fonts (Debian: apt-get install fontconfig fonts-dejavu-core) and a JDK with java.desktop, which the"
                            + " archive and the images of Kiln are without; --svg needs neither",
                    e);
        }
    }

    /** Drawing is loaded only when it is asked for: a runtime without java.desktop cannot. */
    private static final class Drawing {
        private static byte[] of(String svg) {
            SVGDocument document = Objects.requireNonNull(
                    new SVGLoader()
                            .load(
                                    new ByteArrayInputStream(svg.replaceFirst(
                                                    "font-family=\"[^\"]*\"", "font-family=\"" + Font.SANS_SERIF + "\"")
                                            .getBytes(StandardCharsets.UTF_8)),
                                    null,
                                    LoaderContext.createDefault()),
                    "Kiln's own picture is no SVG");
            BufferedImage image = new BufferedImage(
                    Math.round(document.size().width), Math.round(document.size().height), BufferedImage.TYPE_INT_RGB);
            Graphics2D pen = image.createGraphics();
            pen.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
            pen.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
            document.render(null, pen);
            pen.dispose();
            ByteArrayOutputStream png = new ByteArrayOutputStream();
            try {
                ImageIO.write(image, "png", png);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return png.toByteArray();
        }
    }
}
