package dev.kiln.plan.load;

import dev.kiln.model.experiment.LoadTemplate;
import dev.kiln.model.experiment.LoadTemplate.Feeding;
import dev.kiln.model.load.FeedTable;
import dev.kiln.model.load.LoadSpec.Replay;
import dev.kiln.model.load.LoadSpec.Variables;
import dev.kiln.plan.load.RecordedTraffic.RecordedRequest;
import dev.kiln.plan.text.Problems.BadValue;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.GZIPInputStream;

/** RecordingFile reads and checks recorded traffic: a HAR file or an access log, in gzip or not. */
final class RecordingFile {
    /**
     * These headers are not sent again: they belong to one connection (RFC 9110, 7.6.1), or the driver writes them
     * itself, or they concern an answer that never comes.
     */
    private static final Set<String> NOT_SENT = Set.of(
            "connection",
            "proxy-connection",
            "keep-alive",
            "transfer-encoding",
            "upgrade",
            "te",
            "trailer",
            "http2-settings",
            "proxy-authorization",
            "expect",
            "host",
            "content-length");

    private RecordingFile() {}

    /**
     * Reads the requests of a file, in the order of their times.
     *
     * @param added names of headers that all requests get, in place of those that were recorded
     * @throws BadValue that names the file's line or entry, where there is one
     */
    static Feeding read(Path base, String name, double speed, Set<String> added) {
        byte[] file = FeedFile.bytes(base, name, RecordedTraffic.EXPECTED);
        byte[] bytes = unpacked(name, file);
        boolean har = new String(bytes, 0, Math.min(bytes.length, 100), StandardCharsets.UTF_8)
                .replace("\ufeff", "")
                .stripLeading()
                .startsWith("{");
        RecordedTraffic traffic = har ? HarFile.read(name, bytes) : AccessLog.read(name, bytes);
        List<RecordedRequest> requests = new ArrayList<>(traffic.requests());
        requests.sort(Comparator.comparingLong(RecordedRequest::atNanos));
        long[] times = har ? times(requests) : spread(requests);
        long last = times[times.length - 1];
        if (last == 0) {
            String found = times.length == 1 ? "one request alone" : times.length + " requests at one moment";
            throw BadValue.of(found + " in '" + name + "'", "two or more with time between them");
        }
        Duration period = Duration.ofNanos(last + Math.round((double) last / (times.length - 1)));
        Replay replay = new Replay(name, times.length, period, speed, traffic.note(), FeedFile.sha256(file));
        return new Feeding(
                new Variables(LoadTemplate.DEFAULT_SEED, Optional.empty(), Optional.of(replay)),
                table(requests, times, added));
    }

    private static byte[] unpacked(String name, byte[] file) {
        if (file.length < 2 || file[0] != 0x1f || file[1] != (byte) 0x8b) {
            return file;
        }
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(file))) {
            byte[] bytes = in.readNBytes((int) FeedFile.MOST_BYTES + 1);
            if (bytes.length > FeedFile.MOST_BYTES) {
                throw BadValue.of(
                        "'" + name + "' with more than that behind its gzip",
                        "at most " + (FeedFile.MOST_BYTES >> 20) + " MB");
            }
            return bytes;
        } catch (IOException e) {
            throw BadValue.of("'" + name + "', whose gzip is broken (" + e.getMessage() + ")", "a whole file");
        }
    }

    /** Returns the requests' times in ns since the first. */
    private static long[] times(List<RecordedRequest> sorted) {
        return sorted.stream()
                .mapToLong(request -> request.atNanos() - sorted.getFirst().atNanos())
                .toArray();
    }

    /** Returns such times with the requests of a second spread over it: a log has whole seconds. */
    private static long[] spread(List<RecordedRequest> sorted) {
        long[] times = times(sorted);
        for (int begin = 0, end; begin < times.length; begin = end) {
            long second = times[begin];
            for (end = begin; end < times.length && times[end] == second; end++) {
                // Counts them.
            }
            for (int i = begin; i < end; i++) {
                times[i] = second + 1_000_000_000L * (i - begin) / (end - begin);
            }
        }
        return times;
    }

    private static FeedTable table(List<RecordedRequest> requests, long[] times, Set<String> added) {
        Set<String> leftOut = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        leftOut.addAll(NOT_SENT);
        leftOut.addAll(added);
        FeedTable.FeedTableBuilder table = new FeedTable.FeedTableBuilder(
                List.of(Replay.METHOD, Replay.TARGET, Replay.HEADERS, Replay.BODY, Replay.AT));
        for (int i = 0; i < times.length; i++) {
            RecordedRequest request = requests.get(i);
            table.add(List.of(
                    request.method(),
                    request.target(),
                    headers(request, leftOut),
                    request.body(),
                    Long.toString(times[i])));
        }
        return table.build();
    }

    /** Returns the headers to send, each a line with its end. */
    private static String headers(RecordedRequest request, Set<String> leftOut) {
        StringBuilder lines = new StringBuilder();
        for (RecordedRequest.RecordedHeader header : request.headers()) {
            // Names with a colon before them are those of HTTP/2 for what is no header of HTTP/1.1.
            if (!header.name().startsWith(":") && !leftOut.contains(header.name())) {
                lines.append(header.name()).append(": ").append(header.value()).append("\r\n");
            }
        }
        if (!request.body().isEmpty() || request.shouldHaveBody()) {
            int length = request.body().getBytes(StandardCharsets.UTF_8).length;
            lines.append("Content-Length: ").append(length).append("\r\n");
        }
        return lines.toString();
    }
}
