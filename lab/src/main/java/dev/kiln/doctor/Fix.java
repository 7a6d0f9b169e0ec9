package dev.kiln.doctor;

/** The remedies for a living JVM, by the names they have on the command line. */
public enum Fix {
    RENICE("renice", "puts the JVM's compiler threads before all other threads of the machine (nice -20)"),
    COMPILE_IN_FOREGROUND(
            "compile-in-foreground",
            "lets a thread wait for C2 whenever it asks for a compilation: requests stall meanwhile, and C2 gets the CPU");

    private final String text;
    private final String does;

    Fix(String text, String does) {
        this.text = text;
        this.does = does;
    }

    public String text() {
        return text;
    }

    /** What it does, for a person to agree to. */
    public String does() {
        return does;
    }

    Remedy remedy(Remedy.Target target) {
        return switch (this) {
            case RENICE -> new CompilerNice(target);
            case COMPILE_IN_FOREGROUND -> new ForegroundCompilation(target);
        };
    }
}
