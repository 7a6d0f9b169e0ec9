package dev.kiln.report;

import dev.kiln.model.Stacks;
import java.util.Map;
import java.util.TreeMap;

/** Two profiles laid over each other, as a tree of frames. */
final class FlameTree {
    final String name;
    final Map<String, FlameTree> callees = new TreeMap<>();
    long now;
    long before;

    private FlameTree(String name) {
        this.name = name;
    }

    /** @param before empty for a profile that is compared with nothing */
    static FlameTree of(Stacks now, Stacks before) {
        FlameTree root = new FlameTree("all");
        now.samples().forEach((stack, count) -> root.add(stack, count, 0));
        before.samples().forEach((stack, count) -> root.add(stack, 0, count));
        return root;
    }

    private void add(String stack, long ofNow, long ofBefore) {
        FlameTree node = this;
        node.now += ofNow;
        node.before += ofBefore;
        for (String frame : stack.split(";", -1)) {
            node = node.callees.computeIfAbsent(frame, FlameTree::new);
            node.now += ofNow;
            node.before += ofBefore;
        }
    }

    int depth() {
        return 1 + callees.values().stream().mapToInt(FlameTree::depth).max().orElse(0);
    }
}
