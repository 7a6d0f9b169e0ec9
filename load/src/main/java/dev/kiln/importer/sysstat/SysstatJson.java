package dev.kiln.importer.sysstat;

import dev.kiln.importer.format.Format;
import dev.kiln.importer.format.Json;
import dev.kiln.importer.format.SystemLog;
import dev.kiln.importer.format.SystemLog.LogClock;
import dev.kiln.importer.format.SystemLog.LogMachine;
import dev.kiln.importer.sysstat.Mpstat.MpstatInfo;
import dev.kiln.importer.sysstat.Mpstat.MpstatRow;
import dev.kiln.model.KilnException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/** SysstatJson reads how busy the CPUs were, as {@code sadf -j} and {@code mpstat -o JSON} write it. */
public final class SysstatJson {
    public static final Format FORMAT = new Format(
            "sysstat's JSON",
            head -> head.json("\"sysstat\":{", "\"statistics\":[") && !head.json("\"task-"),
            new Format.OneLog(
                    (file, options) -> of(file),
                    file -> "there is no cpu-load of two times in it; write it with sadf -j -- -P ALL"));

    private static final long DAY = 86_400;

    private SysstatJson() {}

    static Optional<SystemLog> of(Path file) {
        return Mpstat.of("sysstat's JSON", (rows, gaps) -> parse(file, rows));
    }

    private static MpstatInfo parse(Path file, Consumer<MpstatRow> rows) {
        JsonNode host = Json.read(file).path("sysstat").path("hosts").path(0);
        String date = host.path("date").asString(host.path("file-date").asString(""));
        Sysstat.SysstatHead head = new Sysstat.SysstatHead(
                new LogMachine(
                        ("Linux " + host.path("release").asString("")).strip(),
                        host.path("number-of-cpus").isInt()
                                ? OptionalInt.of(host.path("number-of-cpus").asInt())
                                : OptionalInt.empty()),
                Sysstat.SysstatHead.date(date));
        Sysstat.DayClock clock = new Sysstat.DayClock();
        clock.date(head);
        boolean utc = false;
        for (JsonNode statistics : host.path("statistics")) {
            JsonNode stamp = statistics.path("timestamp");
            utc |= stamp.path("utc").asInt(0) == 1;
            long second = second(file, stamp, clock);
            for (JsonNode cpu : statistics.path("cpu-load")) {
                if (!isOffline(cpu)) {
                    rows.accept(row(file, second, cpu));
                }
            }
        }
        return new MpstatInfo(
                head, utc ? LogClock.EPOCH : head.date().isPresent() ? LogClock.LOCAL : LogClock.TIME_OF_DAY);
    }

    private static MpstatRow row(Path file, long second, JsonNode cpu) {
        return new MpstatRow(
                second,
                cpu(cpu.path("cpu").asString("")),
                share(file, cpu, "idle"),
                share(file, cpu, "steal"),
                cpu.has("soft") ? OptionalLong.of(share(file, cpu, "soft")) : OptionalLong.empty());
    }

    /** Tells whether all shares are 0, as sysstat up to 11 writes them of a CPU that is offline. */
    private static boolean isOffline(JsonNode cpu) {
        return cpu.path("idle").isNumber()
                && cpu.properties().stream()
                        .map(Map.Entry::getValue)
                        .filter(JsonNode::isNumber)
                        .allMatch(share -> share.asDouble() == 0);
    }

    /** sadf tells date and time of each sample, mpstat the time of day. */
    private static long second(Path file, JsonNode stamp, Sysstat.DayClock clock) {
        String time = stamp.isObject() ? stamp.path("time").asString("") : stamp.asString("");
        long ofDay = Sysstat.time(time).orElseThrow(() -> wrong(file, "'" + time + "' for a time"));
        if (!stamp.isObject()) {
            long second = clock.forward(ofDay);
            if (second < 0) {
                throw wrong(file, "a time before that of the sample above");
            }
            return second;
        }
        String date = stamp.path("date").asString("");
        LocalDate day = Sysstat.SysstatHead.date(date).orElseThrow(() -> wrong(file, "'" + date + "' for a date"));
        return day.toEpochDay() * DAY + ofDay;
    }

    private static int cpu(String name) {
        return name.matches("\\d{1,5}") ? Integer.parseInt(name) : -1;
    }

    /** Reads a share in hundredths of a percent. */
    private static long share(Path file, JsonNode cpu, String name) {
        JsonNode share = cpu.path(name);
        if (share.isMissingNode() && name.equals("steal")) {
            return 0;
        }
        long hundredths = Math.round(100 * Json.number(file, cpu, name));
        if (hundredths > 10_000) {
            throw wrong(file, "a share of " + share + " %");
        }
        return hundredths;
    }

    private static KilnException wrong(Path file, String found) {
        return KilnException.usage(
                file + ": found " + found + ", expected JSON of sysstat", "write it again with sadf -j -- -P ALL");
    }
}
