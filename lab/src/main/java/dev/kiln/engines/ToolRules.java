package dev.kiln.engines;

import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.LoadEngine;
import dev.kiln.model.LoadTemplate;
import dev.kiln.model.LoadTemplate.Call;
import dev.kiln.model.Phase;
import dev.kiln.model.Protocol;

/** What the programs cannot send. They would send something else without a word. */
public final class ToolRules {
    private ToolRules() {}

    /** @throws KilnException for a load that its engine cannot send, or an engine that is not installed */
    public static void check(LoadTemplate load, Protocol protocol) {
        LoadEngine engine = load.engine();
        if (engine == LoadEngine.KILN) {
            return;
        }
        if (engine == LoadEngine.HYPERFOIL) {
            HyperfoilRules.check(load, protocol);
            return;
        }
        Tool.of(engine).program();
        if (load.rate().isPresent()) {
            throw cannot(engine, "an open loop (rate)");
        }
        if (load.calls().size() > 1) {
            throw cannot(engine, "several calls");
        }
        load.calls().forEach(call -> check(engine, call));
        for (Phase phase : protocol.phases()) {
            if (phase instanceof Phase.Load some && some.untilSteadyFrom().isPresent()) {
                throw cannot(
                        engine,
                        "load until it is steady, as it tells nothing while it runs (phase " + phase.name() + ")");
            }
            if (phase instanceof Phase.Load && phase.duration().toNanosPart() != 0) {
                throw cannot(engine, "for a part of a second (phase " + phase.name() + ")");
            }
        }
    }

    private static void check(LoadEngine engine, Call call) {
        if (call.bodyContains().isPresent()) {
            throw cannot(engine, "requests whose bodies are checked (bodyContains)");
        }
        boolean post = engine == LoadEngine.H2LOAD
                && call.method().equals("POST")
                && call.body().isPresent();
        boolean get = call.method().equals("GET") && call.body().isEmpty();
        if (!get && !post) {
            throw cannot(engine, call.method() + (call.body().isPresent() ? " with a body" : ""));
        }
    }

    static KilnException cannot(LoadEngine engine, String what) {
        return new KilnException(
                Exit.USAGE,
                "load: " + engine.id() + " cannot send " + what,
                "leave it out, or the engine: Kiln's own can; docs/reference/load.md compares them");
    }
}
