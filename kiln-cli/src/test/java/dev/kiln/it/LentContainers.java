package dev.kiln.it;

import dev.kiln.host.process.Ports;
import java.util.ArrayList;
import java.util.List;

/** The containers of one test, which go with it. */
final class LentContainers implements AutoCloseable {
    private final String prefix;
    private final List<LentContainer> containers = new ArrayList<>();

    /** @param prefix of their names */
    LentContainers(String prefix) {
        this.prefix = prefix;
    }

    /** Starts one, as {@link LentContainer#start} does. */
    LentContainer start(List<String> more, String script) {
        String name = prefix + ProcessHandle.current().pid() + "-" + Ports.free();
        LentContainer container = LentContainer.start(name, more, script);
        containers.add(container);
        return container;
    }

    @Override
    public void close() {
        containers.forEach(LentContainer::close);
    }
}
