package dev.kiln.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

/** A command as a user runs it, in this process. */
public record Kiln(int exit, String out, String err) {
    public static Kiln run(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exit = Main.run(List.of(args), new PrintWriter(out), new PrintWriter(err));
        return new Kiln(exit, out.toString(), err.toString());
    }
}
