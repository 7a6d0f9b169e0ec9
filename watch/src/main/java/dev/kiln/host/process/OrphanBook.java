package dev.kiln.host.process;

import dev.kiln.model.experiment.Where.ContainerEngine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An OrphanBook is what one Kiln noted of all that it started and made. The file is named by pid and start time of that
 * Kiln. Lines that cannot be understood are ignored.
 *
 * @param children by pid
 * @param containers engines by the container's name
 * @param owed commands of the user's own that undo what others did, by their number, in the order of the notes
 */
record OrphanBook(
        String bootId,
        Map<Integer, Child> children,
        List<Path> directories,
        List<Path> cgroups,
        Map<String, ContainerEngine> containers,
        Map<String, UserCommand> owed) {
    static final String SUFFIX = ".running";

    /** Prefix of the names that Kiln gives. Nothing without it is ever deleted, whatever the file says. */
    static final String OURS = "kiln-";

    /** A Child is a process that the dead Kiln had started. */
    record Child(int pid, long startTicks, String what) {}

    /** Returns the pid and start time of the Kiln that wrote this file. */
    static String owner(Path file) {
        String name = String.valueOf(file.getFileName());
        return name.substring(0, name.length() - SUFFIX.length());
    }

    static boolean isOurs(Path directory) {
        return String.valueOf(directory.getFileName()).startsWith(OURS);
    }

    static OrphanBook parse(List<String> lines) {
        String bootId = "";
        Map<Integer, Child> children = new LinkedHashMap<>();
        List<Path> directories = new ArrayList<>();
        List<Path> cgroups = new ArrayList<>();
        Map<String, ContainerEngine> containers = new LinkedHashMap<>();
        Map<String, UserCommand> owed = new LinkedHashMap<>();
        for (String line : lines) {
            String[] words = line.split(" ", 4);
            try {
                switch (words[0]) {
                    case "boot" -> bootId = words[1];
                    case "child" ->
                        children.put(
                                Integer.parseInt(words[1]),
                                new Child(Integer.parseInt(words[1]), Long.parseLong(words[2]), words[3]));
                    case "ended" -> children.remove(Integer.parseInt(words[1]));
                    case "directory" -> directories.add(rest(line));
                    case "cgroup" -> cgroups.add(rest(line));
                    case "container" -> containers.put(words[2], ContainerEngine.of(words[1]));
                    case "owe" -> owed.put(words[1], UserCommand.parse(line.split(" ", 3)[2]));
                    case "paid" -> owed.remove(words[1]);
                    case "gone" -> containers.remove(words[1]);
                    case "removed" -> {
                        directories.remove(rest(line));
                        cgroups.remove(rest(line));
                    }
                    default -> {}
                }
            } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
                // A line that was cut, or of a later version.
            }
        }
        return new OrphanBook(bootId, children, directories, cgroups, containers, owed);
    }

    /** Returns the line that says that an owed command has been run. */
    static String paid(String number) {
        return "paid " + number;
    }

    private static Path rest(String line) {
        return Path.of(line.substring(line.indexOf(' ') + 1));
    }
}
