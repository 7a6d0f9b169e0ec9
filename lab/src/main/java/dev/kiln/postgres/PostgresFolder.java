package dev.kiln.postgres;

import dev.kiln.host.process.Launcher.LaunchSpec.LaunchUser;
import dev.kiln.model.OwnerOnly;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

/**
 * A PostgresFolder is Kiln's folder for a server. It holds the log. Only the folder within it belongs to the server's user: root
 * writes no file there, so nothing that a superuser of the database plants can lead it elsewhere.
 *
 * @param user of the server; empty where that is this user
 */
record PostgresFolder(Path root, Optional<LaunchUser> user) {
    /** Makes the folder of the server within Kiln's. */
    void make() throws IOException {
        // The server's user passes through Kiln's folder and cannot list it.
        Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwx--x--x"));
        Files.createDirectory(home(), OwnerOnly.FOLDER);
        giveAway(home());
    }

    /** Writes a file of Kiln's folder that the server reads. */
    void write(Path file, String text) throws IOException {
        Files.createFile(file, OwnerOnly.FILE);
        Files.writeString(file, text);
        giveAway(file);
    }

    private void giveAway(Path path) throws IOException {
        if (user.isPresent()) {
            Files.setAttribute(path, "unix:uid", user.get().uid());
            Files.setAttribute(path, "unix:gid", user.get().gid());
        }
    }

    Path home() {
        return root.resolve("home");
    }

    /** Returns where the data is that each run gets a copy of. */
    Path template() {
        return home().resolve("template");
    }

    /** Returns where the data of the present run is. */
    Path data() {
        return home().resolve("data");
    }

    Path log() {
        return root.resolve("server.log");
    }

    /** Returns the file with the password of the superuser, which is there only while the template is made. */
    Path password() {
        return root.resolve("password");
    }

    /** Returns the file that says who is let in, where that is more than this machine. */
    Path clients() {
        return root.resolve("clients");
    }
}
