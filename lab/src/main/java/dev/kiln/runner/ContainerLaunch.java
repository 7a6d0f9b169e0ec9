package dev.kiln.runner;

import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.Placeholders;
import dev.kiln.model.Where;
import java.nio.file.Path;
import java.util.List;

/** Launches a target in a container. */
record ContainerLaunch(TargetLaunch launch, Where.Container container) {
    LaunchedTarget start(Placeholders values, List<String> more, Path log) {
        throw new KilnException(Exit.MACHINE, "cannot make a container yet: " + container.text(), "run it here");
    }
}
