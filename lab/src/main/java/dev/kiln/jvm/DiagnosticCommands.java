package dev.kiln.jvm;

import dev.kiln.jvm.Refusal.Reason;
import dev.kiln.model.JitSample.CodeCache;
import dev.kiln.model.JitSample.Levels;
import java.util.Optional;
import java.util.function.Function;

/**
 * Diagnostic commands of a JVM, those that {@code jcmd PID help} lists, over its attach socket. What each costs the JVM is
 * in bench/jit-probe/RESULTS.md. For use by one thread at a time.
 */
public final class DiagnosticCommands {
    private final AttachSocket socket;

    public DiagnosticCommands(AttachSocket socket) {
        this.socket = socket;
    }

    /** Methods that wait to be compiled. Takes a safepoint. */
    public Reply<CompileQueues> queue() {
        return parsed(CompileQueues::parse, "Compiler.queue");
    }

    /** Compiled methods in use by level. The JVM holds the lock of its code cache meanwhile, so ask seldom. */
    public Reply<Levels> levels() {
        return bytes("Compiler.codelist").then(list -> understood(CodeList.levels(list), "Compiler.codelist"));
    }

    public Reply<CodeCache> codeCache() {
        return parsed(CodeCacheText::parse, "Compiler.codecache");
    }

    /**
     * Any command.
     *
     * @param words the command and its arguments; a value with blanks in it stands in double quotes
     * @return what the JVM said
     */
    public Reply<String> raw(String... words) {
        return bytes(words).then(said -> new Reply.Told<>(AttachSocket.text(said)));
    }

    private <T> Reply<T> parsed(Function<String, Optional<T>> parse, String... words) {
        return raw(words).then(text -> understood(parse.apply(text), words[0]));
    }

    private Reply<byte[]> bytes(String... words) {
        return socket.ask("jcmd", String.join(" ", words));
    }

    private static <T> Reply<T> understood(Optional<T> value, String command) {
        return value.isPresent()
                ? new Reply.Told<>(value.get())
                : new Refusal(Reason.NOT_UNDERSTOOD, "the JVM's answer to " + command + " was not understood").reply();
    }
}
