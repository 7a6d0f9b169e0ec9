package dev.kiln.recorder;

import dev.kiln.model.RunInfo.NotRecorded;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What could not be recorded, each thing told once. */
final class RecorderGaps {
    private final Map<String, NotRecorded> gaps = new LinkedHashMap<>();

    synchronized void add(String what, String why) {
        gaps.putIfAbsent(what, new NotRecorded(what, why));
    }

    synchronized List<NotRecorded> list() {
        return List.copyOf(gaps.values());
    }
}
