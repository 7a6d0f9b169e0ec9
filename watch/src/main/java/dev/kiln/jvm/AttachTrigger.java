package dev.kiln.jvm;

import dev.kiln.files.Held;
import dev.kiln.files.OutputFile;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;

/**
 * An AttachTrigger is the file that tells a JVM to open its attach socket at SIGQUIT. Closing deletes it, whatever
 * became of the JVM: its folder is held, so a process that has ended, or that is stopped, is no way out of it.
 */
final class AttachTrigger implements AutoCloseable {
    private final Held tmp;
    private final String name;
    private final boolean own;

    private AttachTrigger(Held tmp, String name, boolean own) {
        this.tmp = tmp;
        this.name = name;
        this.own = own;
    }

    /** Makes the file in the JVM's tmp, which this closes; one that is there is another program's. */
    static AttachTrigger make(Held tmp, String name) throws IOException {
        boolean made = false;
        try {
            OutputFile.fresh(tmp.path().resolve(name)).close();
            made = true;
            return new AttachTrigger(tmp, name, true);
        } catch (FileAlreadyExistsException e) {
            made = true;
            return new AttachTrigger(tmp, name, false);
        } finally {
            if (!made) {
                tmp.close();
            }
        }
    }

    /** Tells whether the file existed already: another program has asked the JVM, or died before it could delete the file. */
    boolean isAnothers() {
        return !own;
    }

    @Override
    public void close() {
        try (tmp) {
            if (own) {
                Files.deleteIfExists(tmp.path().resolve(name));
            }
        } catch (IOException e) {
            // Another user's folder by now; the file is a name without content.
            return;
        }
    }
}
