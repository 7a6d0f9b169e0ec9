package dev.kiln.engines;

import dev.kiln.model.experiment.LoadTemplate;
import dev.kiln.model.experiment.LoadTemplate.LoadEngine;
import dev.kiln.model.experiment.LoadTemplate.TemplateCall;
import dev.kiln.model.load.Sending;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** EngineLoads are loads of which a test of an engine says only what it is about. */
final class EngineLoads {
    private EngineLoads() {}

    static TemplateCall call(String method, String url) {
        return new TemplateCall(
                method, url, Map.of(), Optional.empty(), 1, Optional.empty(), Optional.empty(), Optional.empty());
    }

    static LoadTemplate of(LoadEngine engine, Sending sending, TemplateCall... calls) {
        return new LoadTemplate(List.of(calls), sending, engine, Optional.empty(), Optional.empty(), Optional.empty());
    }
}
