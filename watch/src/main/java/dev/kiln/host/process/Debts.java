package dev.kiln.host.process;

import dev.kiln.files.OutputFile;
import dev.kiln.host.proc.HostFacts;
import dev.kiln.host.proc.ProcFs;
import dev.kiln.model.KilnException;
import dev.kiln.model.OwnerOnly;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Debts are the commands that killed Kilns owed; they are run once. Only one that changes a cluster is owed until it has succeeded:
 * what it puts back is on no machine that could have been booted, and the cluster may be out of reach today.
 *
 * @param limit for each command
 * @param now takes what may take long, before it is done
 */
record Debts(ProcFs fs, Duration limit, Consumer<String> now) {
    private static final Duration GRACE = Duration.ofSeconds(10);

    /**
     * A Payment is what came of a command.
     *
     * @param said in words that follow its name
     */
    private record Payment(boolean succeeded, String said) {
        private static Payment failed(String said) {
            return new Payment(false, said);
        }
    }

    /** Runs what a killed Kiln owed, the last first, and returns whether nothing is owed any more. */
    boolean pay(OrphanBook remains, Path file, FileChannel channel, List<String> done) throws IOException {
        boolean clear = true;
        for (Map.Entry<String, UserCommand> owed :
                List.copyOf(remains.owed().entrySet()).reversed()) {
            UserCommand command = owed.getValue();
            Payment payment = paid(command, remains, file);
            boolean stays = command.isOfCluster() && !payment.succeeded();
            done.add(command.text() + ", which a killed Kiln left to do, " + payment.said()
                    + (stays ? "; the next Kiln tries again, until " + file + " is deleted" : ""));
            clear &= !stays;
            if (!stays) {
                String line = OrphanBook.paid(owed.getKey()) + "\n";
                channel.write(ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8)), channel.size());
            }
        }
        return clear;
    }

    /** Returns the last words of a command, which may have found nothing to put back. */
    private static String said(String last) {
        return last.isBlank() ? "" : " (" + last.strip() + ")";
    }

    private Payment paid(UserCommand command, OrphanBook remains, Path file) throws IOException {
        if (!command.isOfCluster() && !remains.bootId().equals(HostFacts.bootId(fs))) {
            return Payment.failed(
                    "was not run: the machine has been booted since; if it is still needed, " + command.byHand());
        }
        Path said = file.resolveSibling(file.getFileName() + ".said");
        now.accept("running " + command.text() + ", which a killed Kiln left to do");
        boolean serves = false;
        try {
            OutputFile.anew(said, OwnerOnly.FILE).close();
            Process process = command.start(said, List.of());
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                serves = command.mayServe();
                if (serves) {
                    return new Payment(
                            true,
                            "did not end within " + limit.toSeconds()
                                    + " s and goes on, as one does that serves itself; what it prints is in " + said
                                    + "; if the service is not as before, " + command.byHand());
                }
                UserCommand.end(process, GRACE);
                return Payment.failed(
                        "did not end within " + limit.toSeconds() + " s and was ended; " + command.byHand());
            }
            int code = process.exitValue();
            return code == 0
                    ? new Payment(true, "was run" + (command.isOfCluster() ? said(LogTail.lastLines(said, 1)) : ""))
                    : Payment.failed(ExitCode.unsure(code).text() + " (" + LogTail.lastLines(said, 1) + "); "
                            + command.byHand());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Payment.failed("was interrupted; " + command.byHand());
        } catch (KilnException e) {
            return Payment.failed("could not be run: " + e.getMessage() + "; " + command.byHand());
        } finally {
            if (!serves) {
                Files.deleteIfExists(said);
            }
        }
    }
}
