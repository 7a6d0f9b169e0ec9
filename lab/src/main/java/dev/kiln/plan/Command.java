package dev.kiln.plan;

import dev.kiln.model.experiment.JvmOptions;
import dev.kiln.model.experiment.Where;
import dev.kiln.plan.text.CommandPaths;
import dev.kiln.plan.text.Problems;
import dev.kiln.plan.text.Spot;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A Command is a command as it was typed. No word of it is changed.
 *
 * @param files whose it names
 * @param at where it is written; empty if it is nowhere
 */
record Command(List<String> words, Whose files, Optional<Spot> at) {
    static final Command NONE = new Command(List.of(), Whose.HERE, Optional.empty());

    /** Returns the command without the options of its own that contradict these flags. */
    Command without(List<String> flags) {
        return new Command(JvmOptions.without(words, flags), files, at);
    }

    boolean isJava() {
        return !words.isEmpty() && JvmOptions.isJava(words.getFirst());
    }

    /** Tells whether the command names files of this machine by paths that begin in the folder where it was typed. */
    boolean needsItsFolder() {
        return files == Whose.HERE && !words.isEmpty() && CommandPaths.relative(words);
    }

    /** Notes the files of this machine that are not there, for a command that will run in this directory. */
    void checkFiles(Path directory, Path base, Problems problems) {
        if (files == Whose.HERE) {
            at.ifPresent(
                    place -> problems.attempt(place, "command", () -> CommandPaths.checked(words, directory, base)));
        }
    }

    /** Notes such files in JVM flags behind the first word; on a command line, only variants have flags. */
    void checkFlags(List<String> flags, Spot variant, Path directory, Path base, Problems problems) {
        if (files == Whose.HERE && isJava()) {
            at.map(place -> place instanceof Spot.OfFlag ? variant : place)
                    .ifPresent(place -> problems.attempt(
                            place, "jvmFlags", () -> CommandPaths.checkedFlags(flags, directory, base)));
        }
    }

    /** Whose says on whose file system a target's command and directory are looked up. */
    enum Whose {
        HERE,
        CONTAINER,
        HOST;

        static Whose of(Where where) {
            return switch (where) {
                case Where.Here here -> HERE;
                case Where.ContainerPlace container -> CONTAINER;
                case Where.HostPlace host -> HOST;
                // It has no command.
                case Where.Running running -> HERE;
            };
        }
    }
}
