package dev.kiln.load.driver.http;

import dev.kiln.model.load.LoadSpec.HttpCall;
import dev.kiln.model.load.LoadSpec.Step;
import dev.kiln.model.load.Take;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.util.AsciiString;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map.Entry;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** An Answer is what a session keeps of an answer while it arrives, and the values in it. */
final class Answer {
    /** A body longer than this has no values: pages and tokens are shorter, and many users wait for theirs at a time. */
    private static final int MOST_BYTES = 1 << 20;

    /** A longer text is no value: no server takes it, and each user keeps his values. */
    private static final int MOST_CHARACTERS = 1 << 16;

    /** An expression looks at this many characters, some 0.1 s; a body made for it would hold the event loop up for hours. */
    private static final int MOST_LOOKS = 1 << 25;

    private static final JsonFactory JSON = new JsonFactory();

    private record AnswerHeader(String name, String value) {}

    private final List<AnswerHeader> headers = new ArrayList<>();
    /** The body as it arrived is null where no value is extracted from it, or it is too long. */
    private @Nullable ByteBuf packed;
    /** The unpacked body is made when it is first asked for; empty where there is none. */
    private Optional<byte[]> unpacked = Optional.empty();

    /** Returns the headers of answers that sessions of these calls read, in lower case; none without sessions. */
    static AsciiString[] keptHeaders(List<HttpCall> mine) {
        List<Step> steps = mine.stream().flatMap(call -> call.step().stream()).toList();
        if (steps.isEmpty()) {
            return new AsciiString[0];
        }
        Stream<AsciiString> cookies = steps.stream().filter(Step::cookies).map(step -> HttpHeaderNames.SET_COOKIE);
        Stream<AsciiString> taken = steps.stream()
                .flatMap(step -> step.take().values().stream())
                .map(Take::of)
                .flatMap(take -> take instanceof Take.Header header ? Stream.of(header.name()) : Stream.empty())
                .map(name -> AsciiString.of(name.toLowerCase(Locale.ROOT)));
        return Stream.of(Stream.of(HttpHeaderNames.CONTENT_ENCODING), cookies, taken)
                .flatMap(names -> names)
                .distinct()
                .toArray(AsciiString[]::new);
    }

    void begin(Iterator<Entry<CharSequence, CharSequence>> kept, boolean withBody) {
        end();
        while (kept.hasNext()) {
            Entry<CharSequence, CharSequence> header = kept.next();
            headers.add(new AnswerHeader(
                    header.getKey().toString(), header.getValue().toString()));
        }
        packed = withBody ? Unpooled.buffer() : null;
    }

    void body(ByteBuf piece) {
        ByteBuf sofar = packed;
        if (sofar != null) {
            int bytes = piece.readableBytes();
            if (sofar.readableBytes() + bytes > MOST_BYTES) {
                packed = null;
            } else {
                sofar.writeBytes(piece, piece.readerIndex(), bytes);
            }
        }
    }

    /** Frees the headers and the body. */
    void end() {
        headers.clear();
        packed = null;
        unpacked = Optional.empty();
    }

    void eachCookie(Consumer<String> to) {
        for (AnswerHeader header : headers) {
            if (HttpHeaderNames.SET_COOKIE.contentEqualsIgnoreCase(header.name)) {
                to.accept(header.value);
            }
        }
    }

    /** Finds a value in the answer. It must be on one line: another one would break up the request that it is sent in. */
    Optional<String> find(Take take) {
        Optional<String> found = switch (take) {
            case Take.Header header -> header(header.name());
            case Take.TakeJson json -> body().flatMap(bytes -> json(bytes, json.steps()));
            case Take.Regex regex -> body().flatMap(bytes -> regex(bytes, regex.pattern()));
        };
        return found.filter(
                value -> value.length() <= MOST_CHARACTERS && value.chars().noneMatch(Character::isISOControl));
    }

    private Optional<String> header(String name) {
        return headers.stream()
                .filter(header -> header.name.equalsIgnoreCase(name))
                .map(AnswerHeader::value)
                .findFirst();
    }

    private Optional<byte[]> body() {
        ByteBuf whole = packed;
        if (whole != null && unpacked.isEmpty()) {
            byte[] bytes = new byte[whole.readableBytes()];
            whole.getBytes(0, bytes);
            Optional<String> encoding = header(HttpHeaderNames.CONTENT_ENCODING.toString());
            unpacked = encoding.filter(BodyMatcher::isGzip).isPresent() ? gunzip(bytes) : Optional.of(bytes);
        }
        return unpacked;
    }

    private static Optional<byte[]> gunzip(byte[] bytes) {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            byte[] plain = in.readNBytes(MOST_BYTES + 1);
            return plain.length > MOST_BYTES ? Optional.empty() : Optional.of(plain);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static Optional<String> regex(byte[] body, Pattern pattern) {
        Matcher matcher = pattern.matcher(new BoundedLooks(new String(body, StandardCharsets.UTF_8)));
        try {
            return matcher.find() ? Optional.ofNullable(matcher.group(1)) : Optional.empty();
        } catch (StackOverflowError | TooManyLooks e) {
            // Java's expressions recurse over alternatives, and try all ways; the driver must not end by one.
            return Optional.empty();
        }
    }

    /** TooManyLooks ends an expression. */
    private static final class TooManyLooks extends RuntimeException {
        private static final long serialVersionUID = 1L;

        TooManyLooks() {
            super("too many looks");
        }
    }

    /** BoundedLooks is a text that lets an expression look at it so often and no more. */
    private static final class BoundedLooks implements CharSequence {
        private final String text;
        private int left = MOST_LOOKS;

        BoundedLooks(String text) {
            this.text = text;
        }

        @Override
        public char charAt(int index) {
            if (--left < 0) {
                throw new TooManyLooks();
            }
            return text.charAt(index);
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.substring(start, end);
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /** Finds a value in a JSON body, and reads no further than that. */
    private static Optional<String> json(byte[] body, List<String> steps) {
        try (JsonParser in = JSON.createParser(ObjectReadContext.empty(), body)) {
            JsonToken at = in.nextToken();
            for (String step : steps) {
                at = at == JsonToken.START_OBJECT
                        ? member(in, step)
                        : at == JsonToken.START_ARRAY ? element(in, step) : null;
            }
            return at != null && at.isScalarValue() && at != JsonToken.VALUE_NULL
                    ? Optional.of(in.getString())
                    : Optional.empty();
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }

    private static @Nullable JsonToken member(JsonParser in, String name) {
        while (in.nextToken() == JsonToken.PROPERTY_NAME) {
            boolean wanted = in.currentName().equals(name);
            JsonToken value = in.nextToken();
            if (wanted) {
                return value;
            }
            in.skipChildren();
        }
        return null;
    }

    private static @Nullable JsonToken element(JsonParser in, String index) {
        if (!index.matches("0|[1-9][0-9]{0,6}")) {
            return null;
        }
        JsonToken value = in.nextToken();
        for (int left = Integer.parseInt(index); left > 0 && inside(value); left--) {
            in.skipChildren();
            value = in.nextToken();
        }
        return inside(value) ? value : null;
    }

    private static boolean inside(@Nullable JsonToken value) {
        return value != null && value != JsonToken.END_ARRAY;
    }
}
