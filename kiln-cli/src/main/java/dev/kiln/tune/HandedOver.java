package dev.kiln.tune;

import dev.kiln.report.JsonOut;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/**
 * A HandedOver is the configuration of a cure, and what became of it when Kiln tried it as it is written.
 *
 * @param folder of the files
 * @param run of the service with the files; empty where there was none
 * @param files each with what became of it
 */
record HandedOver(Path folder, Optional<WrittenRun> run, List<WrittenFile> files) {
    HandedOver {
        files = List.copyOf(files);
    }

    /**
     * A WrittenRun is a run of the baseline with what the files say.
     *
     * @param stage folder of the run
     * @param tookEffect whether the run shows that the files do something; empty where it does not show
     * @param t90 seconds; empty where it did not come to 90 % of its peak
     */
    record WrittenRun(String stage, Optional<Boolean> tookEffect, OptionalDouble t90) {}

    /**
     * A WrittenFile is one of the files.
     *
     * @param tried whether Kiln tried it
     * @param why not, or what came of it
     */
    record WrittenFile(String name, boolean tried, String why) {}

    /** Returns what became of the files, in lines. */
    String text() {
        StringBuilder out = new StringBuilder();
        Map<String, List<String>> untried = new LinkedHashMap<>();
        for (WrittenFile file : files) {
            if (file.tried) {
                out.append("Tried once as written (")
                        .append(file.name)
                        .append("): ")
                        .append(file.why)
                        .append(".\n");
            } else {
                untried.computeIfAbsent(file.why, why -> new ArrayList<>()).add(file.name);
            }
        }
        if (!untried.isEmpty()) {
            out.append(untried.entrySet().stream()
                    .map(one -> String.join(", ", one.getValue()) + " (" + one.getKey() + ")")
                    .collect(Collectors.joining("; ", "Not tried as written: ", ".\n")));
        }
        return out.append("Configuration: ").append(folder).append('\n').toString();
    }

    void json(JsonOut out) {
        out.object("run", run, made -> {
            out.text("stage", made.stage);
            made.tookEffect.ifPresentOrElse(took -> out.flag("tookEffect", took), () -> out.nothing("tookEffect"));
            out.number("timeToReferencePeak", made.t90, 3);
        });
        out.objects("files", files, file -> {
            out.text("name", file.name);
            out.flag("tried", file.tried);
            out.text("why", file.why);
        });
    }
}
