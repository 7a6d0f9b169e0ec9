package dev.kiln.jvm;

import dev.kiln.host.proc.ProcFs;
import dev.kiln.jvm.Reply.Refusal;
import dev.kiln.jvm.Reply.Refusal.RefusalReason;
import java.time.Duration;

/** Asks the JVM {@code args[0]} for its version and prints the reason of the refusal; to be run by another user. */
final class AskedByAnother {
    private AskedByAnother() {}

    public static void main(String[] args) {
        try (AttachSocket socket =
                new AttachSocket(ProcFs.ofThisMachine(), Long.parseLong(args[0]), Duration.ofSeconds(10))) {
            System.out.println(new DiagnosticCommands(socket)
                    .raw("VM.version")
                    .refusal()
                    .map(Refusal::reason)
                    .map(RefusalReason::name)
                    .orElse("none"));
        }
    }
}
