package dev.kiln.engines;

import dev.kiln.model.LoadTemplate;
import dev.kiln.model.LoadTemplate.Call;
import dev.kiln.model.LoadTemplate.LoadEngine;
import dev.kiln.model.Protocol;
import dev.kiln.model.Protocol.Phase;

/** What the programs cannot send. They would send something else without a word. */
public final class ToolRules {
    private ToolRules() {}

    /** @throws KilnException for a load that its engine cannot send, or an engine that is not installed */
    public static void check(LoadTemplate load, Protocol protocol) {
        if (load.engine() == LoadEngine.KILN) {
            return;
        }
        if (load.engine() == LoadEngine.HYPERFOIL) {
            HyperfoilRules.check(load, protocol);
            return;
        }
        Tool tool = Tool.of(load);
        tool.require();
        if (load.rate().isPresent()) {
            throw tool.cannot("an open loop (rate)");
        }
        if (load.calls().size() > 1) {
            throw tool.cannot("several calls");
        }
        load.calls().forEach(call -> check(tool, call));
        for (Phase phase : protocol.phases()) {
            if (phase instanceof Phase.Load some && some.untilSteadyFrom().isPresent()) {
                throw tool.cannot(
                        "load until it is steady, as it tells nothing while it runs (phase " + phase.name() + ")");
            }
            if (phase instanceof Phase.Load && phase.duration().toNanosPart() != 0) {
                throw tool.cannot("for a part of a second (phase " + phase.name() + ")");
            }
        }
    }

    private static void check(Tool tool, Call call) {
        if (call.bodyContains().isPresent()) {
            throw tool.cannot("requests whose bodies are checked (bodyContains)");
        }
        tool.unable(call).ifPresent(what -> {
            throw tool.cannot(what);
        });
    }
}
