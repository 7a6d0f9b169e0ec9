package dev.kiln.load.driver;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/** Looks for a text in a body that arrives in pieces, without keeping the pieces (Knuth, Morris and Pratt). */
final class BodyMatcher {
    /** The text, and how far to fall back on a mismatch. */
    static final class Pattern {
        private final byte[] text;
        private final int[] fallback;

        Pattern(String contains) {
            text = contains.getBytes(StandardCharsets.UTF_8);
            fallback = new int[text.length];
            for (int i = 1, k = 0; i < text.length; i++) {
                while (k > 0 && text[i] != text[k]) {
                    k = fallback[k - 1];
                }
                if (text[i] == text[k]) {
                    k++;
                }
                fallback[i] = k;
            }
        }
    }

    private int matched;
    private boolean found;

    void reset() {
        matched = 0;
        found = false;
    }

    boolean found() {
        return found;
    }

    void feed(Pattern pattern, ByteBuf piece) {
        byte[] text = pattern.text;
        int end = piece.writerIndex();
        for (int i = piece.readerIndex(); i < end && !found; i++) {
            byte b = piece.getByte(i);
            while (matched > 0 && b != text[matched]) {
                matched = pattern.fallback[matched - 1];
            }
            if (b == text[matched]) {
                matched++;
            }
            found = matched == text.length;
        }
    }
}
