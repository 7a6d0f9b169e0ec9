package dev.kiln.cli;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A command as a user runs it, in this process. */
public record Kiln(int exit, String out, String err) {
    public static Kiln run(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exit = Main.run(List.of(args), new PrintWriter(out), new PrintWriter(err));
        return new Kiln(exit, out.toString(), err.toString());
    }

    /** The same with this on its standard input. */
    public static Kiln piped(String input, String... args) {
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)));
        try {
            return run(args);
        } finally {
            System.setIn(before);
        }
    }

    /**
     * The same as a program of its own.
     *
     * @param before words before {@code java}, such as of a program that starts it
     * @param options of its JVM
     */
    public static Kiln started(
            List<String> before, List<String> options, Map<String, String> environment, String... args)
            throws IOException, InterruptedException {
        Path out = Files.createTempFile("kiln-test", ".out");
        Path err = Files.createTempFile("kiln-test", ".err");
        try {
            List<String> command = new ArrayList<>(before);
            command.add(Path.of(System.getProperty("java.home"), "bin/java").toString());
            command.addAll(options);
            String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
            command.addAll(List.of("-XX:TieredStopAtLevel=1", "-cp", classPath));
            command.add("-Dkiln.root=" + System.getProperty("kiln.root", ""));
            command.add(Main.class.getName());
            command.addAll(List.of(args));
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectOutput(Redirect.appendTo(out.toFile()))
                    .redirectError(err.toFile());
            builder.environment().putAll(environment);
            int exit = builder.start().waitFor();
            return new Kiln(exit, Files.readString(out), Files.readString(err));
        } finally {
            Files.delete(out);
            Files.delete(err);
        }
    }
}
