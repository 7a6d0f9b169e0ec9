/** What is killed: the part, how its process is recognised, the signal. */
enum KillCase {
    KILN_KILL("Kiln", "", "KILL"),
    KILN_TERM("Kiln", "", "TERM"),
    KILN_INT("Kiln", "", "INT"),
    KILN_KILL_SHELL("Kiln, target behind a shell", "", "KILL"),
    KILN_KILL_DAEMON("Kiln, target is a daemon's child", "", "KILL"),
    KILN_KILL_REMOTE("Kiln, target behind an agent", "", "KILL"),
    KILN_INT_REMOTE("Kiln, target behind an agent", "", "INT"),
    AGENT_KILL("agent", "dev.kiln.remote.AgentMain", "KILL"),
    TARGET_KILL("target", "kills-target", "KILL"),
    TARGET_TERM("target", "kills-target", "TERM"),
    DRIVER_KILL("load driver", "dev.kiln.load.driver.DriverMain", "KILL"),
    POSTGRES_KILL("PostgreSQL", "home/data -c", "KILL"),
    DOCTOR_KILL("doctor during --fix", "", "KILL"),
    DOCTOR_INT("doctor during --fix", "", "INT"),
    WATCHDOG_KILL("doctor and its watchdog", "kiln-watchdog", "KILL");

    final String victim;
    final String part;
    final String signal;

    KillCase(String victim, String part, String signal) {
        this.victim = victim;
        this.part = part;
        this.signal = signal;
    }

    boolean remote() {
        return victim.contains("agent");
    }

    boolean doctor() {
        return victim.startsWith("doctor");
    }
}
