import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Gives a flight recorder much to record until the folder {@code args[0]} holds {@code args[1]} MB of it: threads that
 * compute and allocate, and one that loads the same class again and again, so that the compilers never end.
 */
public class Churn {
    /** Public: the class that is loaded again and again is in a package of its own each time. */
    public static volatile long sink;
    static volatile boolean enough;

    public static void main(String[] args) throws Exception {
        Path repository = Path.of(args[0]);
        long bytes = Long.parseLong(args[1]) << 20;
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            long seed = i;
            threads.add(Thread.ofPlatform().start(() -> allocate(new Random(seed))));
        }
        threads.add(Thread.ofPlatform().start(Churn::compile));
        while (size(repository) < bytes) {
            Thread.sleep(200);
        }
        enough = true;
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static long size(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.mapToLong(file -> file.toFile().length()).sum();
        }
    }

    private static void allocate(Random random) {
        while (!enough) {
            TreeMap<String, byte[]> map = new TreeMap<>();
            for (int i = 0; i < 200; i++) {
                map.put(Integer.toString(random.nextInt(500)), new byte[random.nextInt(2_000)]);
            }
            long sum = 0;
            for (var entry : map.entrySet()) {
                sum += entry.getKey().hashCode() + entry.getValue().length;
            }
            sink += sum;
        }
    }

    private static void compile() {
        try (InputStream in = Churn.class.getResourceAsStream("Churn$Work.class")) {
            byte[] code = in.readAllBytes();
            while (!enough) {
                new ClassLoader(Churn.class.getClassLoader()) {
                    Runnable made() throws ReflectiveOperationException {
                        return (Runnable) defineClass(null, code, 0, code.length)
                                .getDeclaredConstructor()
                                .newInstance();
                    }
                }.made().run();
            }
        } catch (IOException | ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A few small methods, each called often enough for C1. */
    public static class Work implements Runnable {
        @Override
        public void run() {
            long sum = 0;
            for (int i = 0; i < 2_500; i++) {
                sum += first(i) + second(i) + third(i) + fourth(i);
            }
            sink += sum;
        }

        private static long first(int i) {
            return i % 3 == 0 ? second(i) : i * 7L;
        }

        private static long second(int i) {
            return Integer.toString(i).length() + (long) i;
        }

        private static long third(int i) {
            return Long.rotateLeft(i, 3) ^ fourth(i);
        }

        private static long fourth(int i) {
            return i * 31L + 17;
        }
    }
}
