package dev.kiln.jvm.threads;

import dev.kiln.jvm.threads.DumpedThread.DumpedFrame;
import dev.kiln.jvm.threads.DumpedThread.DumpedObject;
import dev.kiln.jvm.threads.DumpedThread.ObjectWait;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;

/**
 * A ThreadJson is what {@code Thread.dump_to_file -format=json} writes, of JDK 21 to 25. It has all threads, virtual ones
 * too. JDK 21 tells only names and stacks. From JDK 24 on it has states, and what a thread holds and waits for.
 */
public final class ThreadJson {
    private static final ObjectMapper MAPPER = JsonMapper.builder().build();

    /** The innermost frames of a virtual thread are not shown; this is the outermost one. */
    private static final String VIRTUAL = "java.lang.VirtualThread";

    /** The place is {@code File.java:line}, {@code Native Method} or {@code Unknown Source}. */
    private static final Pattern FRAME = Pattern.compile("^(.+)\\.([^.(]+)\\((.*)\\)$");

    private static final Pattern LINE = Pattern.compile(":(\\d+)$");

    /** Loader and module stand before the class: {@code app//}, {@code java.base/}, {@code loader/module@version/}. */
    private static final Pattern MODULE = Pattern.compile("^(?:[^/]*/){1,2}(?!0x)");

    private ThreadJson() {}

    /** Returns all threads; empty if it is no such dump. */
    public static Optional<List<DumpedThread>> parse(byte[] json) {
        try {
            JsonNode containers = MAPPER.readTree(json).path("threadDump").path("threadContainers");
            if (!containers.isArray()) {
                return Optional.empty();
            }
            List<DumpedThread> threads = new ArrayList<>();
            containers.forEach(container -> container.path("threads").forEach(thread -> threads.add(thread(thread))));
            return Optional.of(threads);
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }

    private static DumpedThread thread(JsonNode thread) {
        List<DumpedFrame> frames = new ArrayList<>();
        thread.path("stack").forEach(frame -> frame(frame.asString("")).ifPresent(frames::add));
        Optional<DumpedObject> notice = object(thread.path("waitingOn"));
        Optional<DumpedObject> monitor = object(thread.path("blockedOn"));
        Set<String> owned = new HashSet<>();
        thread.path("monitorsOwned")
                .forEach(depth -> depth.path("locks").forEach(lock -> owned.add(lock.asString(""))));
        notice.map(DumpedObject::id).ifPresent(owned::remove);
        monitor.map(DumpedObject::id).ifPresent(owned::remove);
        return new DumpedThread(
                thread.path("name").asString(""),
                thread.path("virtual")
                        .asBoolean(!frames.isEmpty() && frames.getLast().type().equals(VIRTUAL)),
                thread.path("tid").asLong(0),
                ThreadPrint.state(thread.path("state").asString("")),
                frames,
                new ObjectWait(
                        monitor, notice, object(thread.path("parkBlocker").path("object")), Optional.empty()),
                owned,
                OptionalLong.empty(),
                Optional.empty());
    }

    /** Returns the object of a text such as {@code java.lang.Object@5a267a02}. */
    private static Optional<DumpedObject> object(JsonNode text) {
        String id = text.asString("");
        int at = id.lastIndexOf('@');
        return at <= 0 ? Optional.empty() : Optional.of(new DumpedObject(id, ThreadPrint.type(id.substring(0, at))));
    }

    private static Optional<DumpedFrame> frame(String text) {
        Matcher frame = FRAME.matcher(text);
        if (!frame.find()) {
            return Optional.empty();
        }
        String type = MODULE.matcher(frame.group(1)).replaceFirst("");
        Matcher line = LINE.matcher(frame.group(3));
        return Optional.of(new DumpedFrame(
                ThreadPrint.type(type),
                frame.group(2),
                line.find() ? line.group(1) : "",
                frame.group(3).equals("Native Method")));
    }
}
