package dev.kiln.evidence;

import dev.kiln.model.KilnException.IoReason;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;

/** Gaps are what could not be read, with file and line; a file full of garbage adds only a few. */
final class Gaps {
    private static final int PER_FILE = 5;

    private final List<String> listed = new ArrayList<>();
    private int inThisFile;
    private int all;
    private String file = "";

    void file(String name) {
        end();
        file = name;
    }

    void add(long line, String what) {
        inThisFile++;
        all++;
        if (inThisFile <= PER_FILE) {
            listed.add(file + ":" + line + ": " + what);
        }
    }

    void addWhole(String what) {
        all++;
        listed.add(file + ": " + what);
    }

    /** Returns the number of gaps so far in all files, also of those that are left out of the list. */
    int count() {
        return all;
    }

    void unreadable(IOException e) {
        addWhole(e instanceof NoSuchFileException ? "missing" : "cannot be read: " + IoReason.of(e));
    }

    /** Adds a gap in another reader's words, which name file and line; the path becomes the file's name. */
    void addQuoted(String gap) {
        inThisFile++;
        all++;
        if (inThisFile <= PER_FILE) {
            int name = gap.indexOf(file);
            listed.add(name < 0 ? file + ": " + gap : gap.substring(name));
        }
    }

    List<String> end() {
        if (inThisFile > PER_FILE) {
            listed.add(file + ": " + (inThisFile - PER_FILE) + " more lines left out");
        }
        inThisFile = 0;
        return List.copyOf(listed);
    }
}
