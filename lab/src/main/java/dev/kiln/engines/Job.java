package dev.kiln.engines;

import dev.kiln.model.IoReason;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.LoadSpec;
import dev.kiln.model.LoadSpec.HttpCall;
import dev.kiln.model.Phase;
import java.io.IOException;
import java.nio.file.Path;

/**
 * What a program is to do in one phase.
 *
 * @param folder for what the program reads and writes; there may be files of the phase before in it
 */
record Job(LoadSpec spec, Phase.Load phase, Path folder) {
    HttpCall call() {
        return spec.calls().getFirst();
    }

    KilnException noRoom(IOException e) {
        return new KilnException(
                Exit.MACHINE, "cannot write to " + folder + ": " + IoReason.of(e), "check the disk's space", e);
    }
}
