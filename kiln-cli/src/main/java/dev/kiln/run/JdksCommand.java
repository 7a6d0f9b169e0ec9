package dev.kiln.run;

import dev.kiln.console.ResultConsole;
import dev.kiln.jvm.JdkFinder;
import dev.kiln.jvm.JdkProbe;
import dev.kiln.jvm.JdkProbe.JdkSight;
import dev.kiln.report.JdkList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code kiln jdks}: the JDKs of this machine, each launched once to see what can be observed of it. */
@Command(
        name = "jdks",
        description = "Lists the JDKs that 'jdk: VERSION' searches, in this order, and what Kiln can observe of each.",
        mixinStandardHelpOptions = true)
public final class JdksCommand implements Callable<Integer> {
    @Mixin
    private final ResultConsole console = new ResultConsole();

    @Override
    public Integer call() {
        List<JdkSight> found =
                new JdkFinder().find().stream().map(JdkProbe::look).toList();
        console.print(() -> JdkList.json(found), () -> JdkList.text(found, console.style()));
        return 0;
    }
}
