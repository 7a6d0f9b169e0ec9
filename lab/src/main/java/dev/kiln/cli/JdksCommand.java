package dev.kiln.cli;

import dev.kiln.jvm.JdkFinder;
import dev.kiln.jvm.JdkProbe;
import dev.kiln.model.JdkSight;
import dev.kiln.report.JdkList;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code kiln jdks}: the JDKs of this machine, each launched once to see what can be observed of it. */
@Command(
        name = "jdks",
        description = "Lists the JDKs that 'jdk: VERSION' finds, in its order, and what can be observed of each.",
        mixinStandardHelpOptions = true)
final class JdksCommand implements Callable<Integer> {
    @Option(names = "--json", description = "Write the list here; - is the standard output.")
    private @Nullable Path json;

    @Mixin
    private final Console console = new Console();

    @Override
    public Integer call() {
        List<JdkSight> found = new JdkFinder()
                .withCache(Installation.cache()).find().stream()
                        .map(JdkProbe::look)
                        .toList();
        console.answer(
                Optional.ofNullable(json), () -> JdkList.json(found), () -> JdkList.text(found, console.style()));
        return 0;
    }
}
