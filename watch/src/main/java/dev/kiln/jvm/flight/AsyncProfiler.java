package dev.kiln.jvm.flight;

import dev.kiln.files.InputFile;
import dev.kiln.files.OutputFile;
import dev.kiln.host.process.CacheFolder;
import dev.kiln.model.KilnException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.zip.CRC32;

/** AsyncProfiler unpacks async-profiler from its jar, and makes the flag that launches a JVM with it. */
public final class AsyncProfiler {
    /** The recording has this name in the run's folder. */
    public static final String RECORDING = "profile.jfr";

    /** The profiler samples by a timer on each thread's CPU time. That needs no perf_events and no privilege. */
    private static final String EVENT = "ctimer";

    /** A chunk lasts this long: if the process is killed, its last chunk is lost. */
    private static final String CHUNK = "10s";

    private AsyncProfiler() {}

    /** Returns the flag for a run's folder; the cache has what is unpacked once. */
    public static List<String> prepare(Path run, Path cache) {
        String file = run.toAbsolutePath().resolve(RECORDING).toString();
        if (file.indexOf(',') >= 0) {
            throw KilnException.usage(
                    "async-profiler cannot write to " + file + ": a comma in the path would begin its next option",
                    "choose a folder for results without a comma");
        }
        return List.of("-agentpath:" + library(cache) + "=start,event=" + EVENT + ",interval=10ms,jfr,chunktime="
                + CHUNK + ",file=" + file);
    }

    private static Path library(Path cache) {
        String resource = "/" + platform() + "/libasyncProfiler.so";
        try (InputStream in = AsyncProfiler.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw KilnException.machine(
                        "async-profiler has no library for " + platform(),
                        "leave it out: observe: {async-profiler: off}");
            }
            return unpacked(in.readAllBytes(), cache.toAbsolutePath().resolve("async-profiler"));
        } catch (IOException e) {
            throw KilnException.machine(e, "cannot unpack async-profiler", "make room in " + cache);
        }
    }

    /** Its name comes from its content, so that another version never replaces one in use. */
    private static Path unpacked(byte[] library, Path folder) throws IOException {
        CRC32 crc = new CRC32();
        crc.update(library);
        Path file = folder.resolve("libasyncProfiler-" + HexFormat.of().toHexDigits(crc.getValue(), 8) + ".so");
        // The target runs it: a name and a length are not enough.
        if (!isThere(file, library)) {
            CacheFolder.make(folder);
            OutputFile.replace(file, library);
        }
        return file;
    }

    private static boolean isThere(Path file, byte[] library) {
        try {
            return InputFile.othersCanWrite(file).isEmpty()
                    && Arrays.equals(InputFile.bytes(file, library.length), library);
        } catch (IOException e) {
            return false;
        }
    }

    private static String platform() {
        String name = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        String cpu = System.getProperty("os.arch", "");
        return name + "-" + (cpu.equals("amd64") ? "x64" : cpu.equals("aarch64") ? "arm64" : cpu);
    }
}
