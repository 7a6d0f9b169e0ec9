package dev.kiln.jvm;

import dev.kiln.files.Held;
import dev.kiln.files.OutputFile;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;

/**
 * An AttachTrigger is the file that tells a JVM to open its attach socket at SIGQUIT. Closing deletes it, whatever
 * became of the JVM: its folder is held, so a process that has ended, or that is stopped, is no way out of it. A signal that ends
 * Kiln meanwhile deletes it too.
 */
final class AttachTrigger implements AutoCloseable {
    private final Held tmp;
    private final String name;
    private final boolean own;
    private final Thread atExit = new Thread(this::delete, "kiln-attach-end");
    private boolean closed;

    private AttachTrigger(Held tmp, String name, boolean own) {
        this.tmp = tmp;
        this.name = name;
        this.own = own;
    }

    /** Makes the file in the JVM's tmp, which this closes; one that is there is another program's. */
    static AttachTrigger make(Held tmp, String name) throws IOException {
        boolean own = true;
        try {
            OutputFile.fresh(tmp.path().resolve(name)).close();
        } catch (FileAlreadyExistsException e) {
            own = false;
        } catch (IOException e) {
            tmp.close();
            throw e;
        }
        AttachTrigger made = new AttachTrigger(tmp, name, own);
        try {
            Runtime.getRuntime().addShutdownHook(made.atExit);
        } catch (IllegalStateException e) {
            // Kiln is ending, and waits for who finishes a run: the file is closed as ever.
            return made;
        }
        return made;
    }

    /** Tells whether the file existed already: another program has asked the JVM, or died before it could delete the file. */
    boolean isAnothers() {
        return !own;
    }

    private synchronized void delete() {
        if (!own || closed) {
            return;
        }
        try {
            Files.deleteIfExists(tmp.path().resolve(name));
        } catch (IOException e) {
            // Another user's folder by now; the file is a name without content.
            return;
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            delete();
            closed = true;
            tmp.close();
        }
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            // Kiln is ending, and the hook finds nothing to do.
            return;
        }
    }
}
