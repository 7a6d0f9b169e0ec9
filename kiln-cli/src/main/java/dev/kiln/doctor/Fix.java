package dev.kiln.doctor;

/** A Fix is a change to a live JVM, with its name on the command line. */
public enum Fix {
    RENICE("renice", "gives the JVM's compiler threads priority over all other threads of the machine (nice -20)"),
    COMPILE_IN_FOREGROUND(
            "compile-in-foreground",
            "makes a thread that asks C2 for a compilation wait for it: requests stall meanwhile, and C2 gets the CPU");

    private final String text;
    private final String does;

    Fix(String text, String does) {
        this.text = text;
        this.does = does;
    }

    public String text() {
        return text;
    }

    /** Returns what the fix does, in words for a person who has to agree to it. */
    public String does() {
        return does;
    }

    Remedy remedy(Remedy.RemedyTarget target) {
        return switch (this) {
            case RENICE -> new CompilerNice(target);
            case COMPILE_IN_FOREGROUND -> new ForegroundCompilation(target);
        };
    }
}
