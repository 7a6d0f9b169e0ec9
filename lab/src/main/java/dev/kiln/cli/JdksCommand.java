package dev.kiln.cli;

import dev.kiln.jvm.Jdk;
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
import picocli.CommandLine.Parameters;

/** {@code kiln jdks}: the JDKs of this machine, each launched once to see what can be observed of it. */
@Command(
        name = "jdks",
        description = "Lists the JDKs that 'jdk: VERSION' finds, in its order, and what can be observed of each.",
        mixinStandardHelpOptions = true)
final class JdksCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "ARCHIVE",
            arity = "0..*",
            description = "JDKs to unpack into Kiln's cache first: .tar.gz, .tar.xz, .tar, .zip or .whl.")
    private List<Path> archives = List.of();

    @Option(names = "--json", description = "Write the list here; - is the standard output.")
    private @Nullable Path json;

    @Mixin
    private final Console console = new Console();

    @Override
    public Integer call() {
        JdkFinder finder = new JdkFinder().withCache(Installation.cache());
        archives.forEach(archive -> {
            Jdk jdk = finder.unpack(archive);
            console.err().println("kiln: " + archive + " is JDK " + jdk.version() + " in " + jdk.home());
        });
        List<JdkSight> found = finder.find().stream().map(JdkProbe::look).toList();
        Answer.put(
                console,
                Optional.ofNullable(json),
                () -> JdkList.json(found),
                () -> JdkList.text(found, console.style()));
        return 0;
    }
}
