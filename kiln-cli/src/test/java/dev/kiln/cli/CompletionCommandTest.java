package dev.kiln.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Asked of the shells themselves. */
class CompletionCommandTest {
    @TempDir
    Path folder;

    @Test
    void bashCompletesCommandsAndOptions() throws Exception {
        assertThat(completed("kiln", "doc")).containsExactly("doctor");
        assertThat(completed("kiln", "doctor", "--unt")).containsExactly("--until-warm");
    }

    private List<String> completed(String... words) throws Exception {
        Path script = written("bash");
        String line = String.join(" ", words);
        return said(
                        "bash",
                        "-c",
                        "source " + script + "; COMP_WORDS=(" + line + "); COMP_CWORD=" + (words.length - 1)
                                + "; COMP_LINE='" + line
                                + "'; _complete_kiln 2>/dev/null; printf '%s\\n' \"${COMPREPLY[@]}\"")
                .lines()
                .map(String::strip)
                .toList();
    }

    /** With the Tab key in a shell, whose command then is a program that says how it was called. */
    @Test
    void inAClonesFolderItIsCompletedToo() throws Exception {
        Path script = written("bash");
        Path program = Files.writeString(folder.resolve("kiln"), "#!/bin/sh\necho \"called: $*\"\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path keys = Files.writeString(
                folder.resolve("keys"),
                "cd " + folder + "\nsource " + script + "\n./kiln doc\t\n./kiln doctor --unt\t\nexit\n");
        Process shell = new ProcessBuilder("bash", "--norc", "--noprofile", "-i")
                .redirectInput(keys.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(said.lines()).as(said).contains("called: doctor", "called: doctor --until-warm");
    }

    @Test
    void fishCompletesCommandsAndOptions() throws Exception {
        Path script = written("fish");
        assertThat(Files.readString(script))
                .contains(
                        "complete -c kiln -f -n '__fish_use_subcommand' -a doctor -d 'Says whether a running JVM is warm",
                        "complete -c kiln -n '__fish_seen_subcommand_from doctor' -l until-warm -d 'Return when it is warm.'",
                        "-l timeout -r -d ");
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/fish")), "there is no fish");
        assertThat(said("fish", "-c", "source " + script + "; complete -C 'kiln doc'"))
                .startsWith("doctor\tSays whether");
        assertThat(said("fish", "-c", "source " + script + "; complete -C 'kiln doctor --unt'"))
                .startsWith("--until-warm\t");
        assertThat(said("fish", "-c", "source " + script + "; complete -C 'kiln aot tr'"))
                .startsWith("train\tMakes an AOT cache");
        assertThat(said("fish", "-c", "source " + script + "; complete -C 'kiln aot train --ou'"))
                .startsWith("--out\t");
        assertThat(said("fish", "-c", "source " + script + "; complete -C 'kiln aot check --ou'"))
                .doesNotContain("--out");
    }

    @Test
    void anUnknownShellIsRefused() {
        Kiln ran = Kiln.run("completion", "tcsh");
        assertThat(ran.exit()).isEqualTo(2);
        assertThat(ran.err()).contains("tcsh", "BASH, ZSH, FISH");
    }

    private Path written(String shell) throws IOException {
        Kiln ran = Kiln.run("completion", shell);
        assertThat(ran.exit()).as(ran.err()).isZero();
        return Files.writeString(folder.resolve("kiln." + shell), ran.out());
    }

    private static String said(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }
}
