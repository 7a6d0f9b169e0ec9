package dev.kiln.host.process;

import java.util.Scanner;

/** How Kiln tells that a process was killed, on the kernel of this machine. */
public final class Killed {
    private Killed() {}

    /** Linux keeps the wait status for a pidfd from 6.15 on. */
    static boolean kernelTells() {
        try (Scanner version = new Scanner(System.getProperty("os.version")).useDelimiter("[^0-9]+")) {
            int major = version.nextInt();
            return major > 6 || (major == 6 && version.nextInt() >= 15);
        }
    }

    /** In words that go on after its name. */
    public static String text() {
        return kernelTells()
                ? "was killed by signal 9, SIGKILL"
                : ExitCode.unsure(137).text();
    }
}
