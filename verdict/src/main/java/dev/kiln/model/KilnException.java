package dev.kiln.model;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** A KilnException is a failure that the user sees: what happened and where, what to do, and the exit code. */
public class KilnException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** An Exit is one of the exit codes that the manual documents. */
    public enum Exit {
        /** The command ran to its end and found a problem. */
        PROBLEM(1),
        /** The command line or the experiment file is wrong. */
        USAGE(2),
        /** The machine cannot do what was asked for. */
        MACHINE(3);

        private final int code;

        Exit(int code) {
            this.code = code;
        }

        public int code() {
            return code;
        }

        /** Returns the exit code of a command that ran to its end: 0 where it found no problem. */
        public static int ofRun(boolean fine) {
            return fine ? 0 : PROBLEM.code;
        }
    }

    private final Exit exit;
    private final String remedy;

    /** Makes an error that says what happened and where, and as its remedy what to do. */
    public KilnException(Exit exit, String message, String remedy) {
        super(message);
        this.exit = exit;
        this.remedy = remedy;
    }

    public KilnException(Exit exit, String message, String remedy, Throwable cause) {
        super(message, cause);
        this.exit = exit;
        this.remedy = remedy;
    }

    /** Returns the failure of a user whose command line or file is wrong. */
    public static KilnException usage(String message, String remedy) {
        return new KilnException(Exit.USAGE, message, remedy);
    }

    public static KilnException usage(String message, String remedy, Throwable cause) {
        return new KilnException(Exit.USAGE, message, remedy, cause);
    }

    /** @param what failed; the reason is added */
    public static KilnException usage(IOException reason, String what, String remedy) {
        return usage(what + ": " + IoReason.of(reason), remedy, reason);
    }

    /** Returns the failure of a machine that cannot do what was asked for. */
    public static KilnException machine(String message, String remedy) {
        return new KilnException(Exit.MACHINE, message, remedy);
    }

    public static KilnException machine(String message, String remedy, Throwable cause) {
        return new KilnException(Exit.MACHINE, message, remedy, cause);
    }

    /** @param what failed; the reason is added */
    public static KilnException machine(IOException reason, String what, String remedy) {
        return machine(what + ": " + IoReason.of(reason), remedy, reason);
    }

    /** Returns the failure of a command that ran and found a problem. */
    public static KilnException problem(String message, String remedy) {
        return new KilnException(Exit.PROBLEM, message, remedy);
    }

    /** @param what failed; the reason is added */
    public static KilnException problem(IOException reason, String what, String remedy) {
        return new KilnException(Exit.PROBLEM, what + ": " + IoReason.of(reason), remedy, reason);
    }

    public Exit exit() {
        return exit;
    }

    public String remedy() {
        return remedy;
    }

    /** An IoReason says in words why an operation on a file failed; Java's message is often only the name. */
    public static final class IoReason {
        private IoReason() {}

        public static String of(IOException e) {
            if (e instanceof AccessDeniedException) {
                return "permission denied";
            }
            if (e instanceof NoSuchFileException) {
                return "no such file or folder";
            }
            if (e instanceof FileAlreadyExistsException) {
                return "a file of that name exists";
            }
            if (e instanceof DirectoryNotEmptyException) {
                return "the folder is not empty";
            }
            if (e instanceof FileSystemException known && known.getReason() != null) {
                return known.getReason();
            }
            return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        }
    }
}
