package dev.kiln.remote;

import dev.kiln.model.KilnException;

/** An AgentLost says that the connection to an agent was lost, or that nothing came on it in time: another run gets a new one. */
public final class AgentLost extends KilnException {
    private static final long serialVersionUID = 1L;

    AgentLost(String message, String remedy) {
        super(Exit.MACHINE, message, remedy);
    }
}
