package dev.kiln.plan.text;

/** A Spot is where something was written: a place in a file, or a flag of a command. */
public sealed interface Spot {
    /** Returns the line in the file, from 1 on; 0 for a flag. */
    default int line() {
        return 0;
    }

    /** Returns a message about what is written here. */
    String message(String file, String subject, String text);

    /** Returns where a part of this is: in a file at the same place; of a command line, people look for the part. */
    Spot part(String name);

    record OfFile(int line, int column) implements Spot {
        @Override
        public String message(String file, String subject, String text) {
            return file + ":" + line + ": " + (subject.isEmpty() ? "" : subject + ": ") + text;
        }

        @Override
        public Spot part(String name) {
            return this;
        }
    }

    /**
     * An OfFlag is a flag of a command. A message about it leaves out its subject, which is what a file calls the same.
     *
     * @param name with its dashes
     */
    record OfFlag(String name) implements Spot {
        @Override
        public String message(String file, String subject, String text) {
            return name + ": " + text;
        }

        @Override
        public Spot part(String part) {
            return new OfFlag(part);
        }
    }
}
