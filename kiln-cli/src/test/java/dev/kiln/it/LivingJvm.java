package dev.kiln.it;

import dev.kiln.jvm.Jdk;
import dev.kiln.jvm.JdkFinder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A JVM to be looked at: it runs what a test asks for, compiled once for JDK 17 and later. */
final class LivingJvm implements AutoCloseable {
    /** Arguments: threads, microseconds of work each, microseconds of sleep between; the last one is for more to compile. */
    private static final String SOURCE = """
            import java.util.concurrent.locks.LockSupport;
            public class Living {
                static volatile long sink;
                public static void main(String[] args) throws Exception {
                    int threads = Integer.parseInt(args[0]);
                    long work = Long.parseLong(args[1]) * 1000;
                    long rest = Long.parseLong(args[2]) * 1000;
                    boolean much = args.length > 3;
                    for (int i = 0; i < threads; i++) {
                        new Thread(null, () -> run(work, rest, much), "http-nio-8080-exec-" + i, 128 << 10).start();
                    }
                    System.out.println("ready");
                    Thread.currentThread().join();
                }
                static void run(long work, long rest, boolean much) {
                    while (true) {
                        long begin = System.nanoTime();
                        long sum = 0;
                        while (System.nanoTime() - begin < work) {
                            sum += much ? much(sum) : Long.toString(sum ^ begin).hashCode();
                        }
                        sink = sum;
                        if (rest > 0) {
                            LockSupport.parkNanos(rest);
                        }
                    }
                }
                static long much(long seed) {
                    String text = String.format("%s %d %08x", "abc", seed, seed);
                    var map = new java.util.TreeMap<String, Long>();
                    for (String word : text.split("[ a-f]+")) {
                        map.merge(word, (long) word.length(), Long::sum);
                    }
                    return map.values().stream().mapToLong(Long::longValue).sum()
                            + new java.math.BigDecimal(seed & 0xffff_ffffL).sqrt(java.math.MathContext.DECIMAL64).hashCode()
                            + java.util.regex.Pattern.compile("(a|b)*c").matcher(text).replaceAll("x").hashCode();
                }
            }
            """;

    private final Process process;

    private LivingJvm(Process process) {
        this.process = process;
    }

    static Stream<Jdk> jdks() {
        return new JdkFinder().find().stream().filter(jdk -> jdk.feature() >= 17);
    }

    static Path classes(Path root) {
        Path source = root.resolve("Living.java");
        if (Files.exists(source)) {
            return root;
        }
        try {
            Files.writeString(source, SOURCE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        int exit = javax.tools.ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "--release", "17", "-d", root.toString(), source.toString());
        if (exit != 0) {
            throw new AssertionError("the test's program does not compile");
        }
        return root;
    }

    /** @param prefix of the command, before {@code java} */
    static LivingJvm start(Sandbox sandbox, Jdk jdk, List<String> prefix, List<String> flags, String... args) {
        List<String> command = new ArrayList<>(prefix);
        command.add(jdk.java().toString());
        command.addAll(List.of("-Xmx128m", "-XX:+UseSerialGC"));
        command.addAll(flags);
        command.addAll(List.of("-cp", classes(sandbox.root()).toString(), "Living"));
        command.addAll(List.of(args));
        try {
            Path out = Files.createTempFile(sandbox.root(), "living", ".txt");
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(sandbox.root().toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(out.toFile());
            builder.environment().put("KILN_IT_LIVING", "1");
            LivingJvm jvm = new LivingJvm(builder.start());
            sweep(jvm.process.pid());
            Waiting.until("the JVM to be ready", () -> text(out).contains("ready") || !jvm.process.isAlive());
            if (!jvm.process.isAlive()) {
                throw new AssertionError("the JVM ended: " + text(out));
            }
            return jvm;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A JVM that is killed leaves its socket, and another process may be given its pid. */
    private static void sweep(long pid) {
        try {
            Files.deleteIfExists(Path.of("/tmp/.java_pid" + pid));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** The JVM itself, which a prefix such as unshare may have as its child. */
    long pid() {
        return process.descendants()
                .filter(child -> child.info().command().orElse("").endsWith("/java"))
                .map(ProcessHandle::pid)
                .findFirst()
                .orElse(process.pid());
    }

    void kill() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    /** Ids of its compiler threads. */
    List<Long> compilers() {
        try (Stream<Path> tasks = Files.list(Path.of("/proc/" + pid() + "/task"))) {
            return tasks.filter(task -> comm(task).matches("C[12] Compiler.*\\s*"))
                    .map(task -> Long.parseLong(String.valueOf(task.getFileName())))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Of a thread, as the kernel has it. */
    int nice(long tid) {
        String stat = text(Path.of("/proc/" + pid() + "/task/" + tid + "/stat"));
        return Integer.parseInt(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[16]);
    }

    private static String comm(Path task) {
        try {
            return Files.readString(task.resolve("comm"));
        } catch (IOException e) {
            return "";
        }
    }

    @Override
    public void close() {
        long pid = pid();
        kill();
        try {
            process.waitFor();
            sweep(pid);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
