package dev.kiln.tune;

import dev.kiln.files.InputFile;
import dev.kiln.files.OutputFile;
import dev.kiln.host.process.Programs;
import dev.kiln.host.process.Programs.ProgramAnswer;
import dev.kiln.model.KilnException.IoReason;
import dev.kiln.model.OwnerOnly;
import dev.kiln.tune.HandedOver.WrittenFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** A WrittenUnit is a drop-in of systemd as a unit of its own, so that systemd itself can look for faults in it. */
final class WrittenUnit {
    private static final String ANALYZE = "systemd-analyze";
    private static final String UNIT = "kiln-as-written.service";
    private static final String CAPABILITIES = "AmbientCapabilities";

    private WrittenUnit() {}

    /**
     * Returns what systemd says of the drop-in.
     *
     * @param stage folder that gets the unit, as systemd checked it
     * @param ran whether its limits were tried in a run
     */
    static WrittenFile verified(Path file, Path stage, WrittenCure written, boolean ran) {
        Optional<Path> analyze = Programs.find(ANALYZE);
        if (analyze.isEmpty()) {
            return new WrittenFile(TunedFiles.SYSTEMD, false, ANALYZE + " is not on this machine");
        }
        List<String> words = new ArrayList<>();
        try {
            words.add(said(analyze.get(), file, stage));
        } catch (IOException e) {
            return new WrittenFile(
                    TunedFiles.SYSTEMD, false, ANALYZE + " needs a file in " + stage + ": " + IoReason.of(e));
        }
        written.unit().forEach((name, value) -> words.add(name + "=" + value + became(name, ran)));
        return new WrittenFile(TunedFiles.SYSTEMD, true, String.join(", ", words));
    }

    private static String became(String setting, boolean ran) {
        if (setting.equals(CAPABILITIES)) {
            return " was not tried: a run has the rights of Kiln";
        }
        return ran ? " was in force in the run" : " was not tried";
    }

    private static String said(Path analyze, Path file, Path stage) throws IOException {
        Files.createDirectories(stage, OwnerOnly.FOLDER);
        Path unit = stage.resolve(UNIT);
        OutputFile.replace(unit, InputFile.text(file, InputFile.DOCUMENT) + "ExecStart=/bin/true\n");
        return faults(Programs.run(List.of(analyze.toString(), "verify", "--man=no", unit.toString())));
    }

    private static String faults(ProgramAnswer answer) {
        // It also tells of other units of the machine.
        String faults = answer.output()
                .lines()
                .filter(line -> line.contains(UNIT))
                .map(line -> line.replaceAll(".*" + UNIT + ":", "line ").strip())
                .collect(Collectors.joining("; "));
        if (faults.isEmpty()) {
            return answer.exit() == 0
                    ? ANALYZE + " verify finds no fault"
                    : ANALYZE + " verify ended with exit code " + answer.exit();
        }
        return ANALYZE + " verify: " + faults;
    }
}
