package dev.kiln.evidence;

import java.util.ArrayList;
import java.util.List;

/** What could not be read back, with file and line; a file full of garbage is told in a few lines. */
final class Gaps {
    private static final int PER_FILE = 5;

    private final List<String> told = new ArrayList<>();
    private int inThisFile;
    private String file = "";

    void file(String name) {
        end();
        file = name;
    }

    void add(long line, String what) {
        inThisFile++;
        if (inThisFile <= PER_FILE) {
            told.add(file + ":" + line + ": " + what);
        }
    }

    void addWhole(String what) {
        told.add(file + ": " + what);
    }

    /** A complaint that names its file itself. */
    void addElsewhere(String complaint) {
        told.add(complaint);
    }

    List<String> end() {
        if (inThisFile > PER_FILE) {
            told.add(file + ": " + (inThisFile - PER_FILE) + " more lines left out");
        }
        inThisFile = 0;
        return List.copyOf(told);
    }
}
