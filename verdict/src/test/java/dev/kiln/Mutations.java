package dev.kiln;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Consumer;

/**
 * What rot, a cut, a hostile program or another version may make of a text. The same each time. More rounds of the slow
 * ones: {@code ./mvnw test -Dkiln.mutations=10000}.
 */
public final class Mutations {
    private static final byte[] ODD = "0123456789999999999999999999-+.,:;\"'{}[]()<>/\\=%#&*!| \t\r\n\0\377x"
            .getBytes(StandardCharsets.ISO_8859_1);

    private Mutations() {}

    /** For parsers that take microseconds. */
    public static final int MANY = 10_000;

    /** For those that take milliseconds. */
    public static int some(int usual) {
        return Integer.getInteger("kiln.mutations", usual);
    }

    /** Gives so many mutations of a sample to a parser. What it throws ends the test, with the input in its message. */
    public static void of(String sample, int rounds, Consumer<String> parser) {
        of(
                sample.getBytes(StandardCharsets.UTF_8),
                rounds,
                bytes -> parser.accept(new String(bytes, StandardCharsets.UTF_8)));
    }

    /** The same for bytes. */
    public static void of(byte[] sample, int rounds, Consumer<byte[]> parser) {
        Random random = new Random(sample.length);
        for (int round = 0; round < rounds; round++) {
            byte[] mutated = mutated(sample, random);
            try {
                parser.accept(mutated);
            } catch (RuntimeException | StackOverflowError e) {
                String text = new String(mutated, StandardCharsets.ISO_8859_1);
                throw new AssertionError(
                        "round " + round + ": " + text.substring(0, Math.min(text.length(), 2_000)), e);
            }
        }
    }

    private static byte[] mutated(byte[] sample, Random random) {
        byte[] bytes = sample.clone();
        for (int n = random.nextInt(4); n >= 0; n--) {
            int at = random.nextInt(bytes.length + 1);
            int to = Math.min(bytes.length, at + 1 + random.nextInt(30));
            bytes = switch (random.nextInt(6)) {
                case 0 -> Arrays.copyOf(bytes, at);
                case 1 -> joined(bytes, at, new byte[0], to);
                case 2 -> joined(bytes, at, Arrays.copyOfRange(bytes, at, to), at);
                case 3 -> joined(bytes, at, odd(random, 1 + random.nextInt(3)), Math.min(bytes.length, at + 1));
                case 4 -> joined(bytes, at, odd(random, 1 + random.nextInt(30)), at);
                default -> joined(bytes, at, new byte[] {(byte) random.nextInt()}, Math.min(bytes.length, at + 1));
            };
        }
        return bytes;
    }

    private static byte[] odd(Random random, int length) {
        byte[] odd = new byte[length];
        boolean run = random.nextBoolean();
        byte same = ODD[random.nextInt(ODD.length)];
        for (int i = 0; i < length; i++) {
            odd[i] = run ? same : ODD[random.nextInt(ODD.length)];
        }
        return odd;
    }

    private static byte[] joined(byte[] all, int end, byte[] middle, int from) {
        byte[] joined = Arrays.copyOf(all, end + middle.length + all.length - from);
        System.arraycopy(middle, 0, joined, end, middle.length);
        System.arraycopy(all, from, joined, end + middle.length, all.length - from);
        return joined;
    }
}
