package dev.kiln.model;

import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Permissions of what Kiln makes: commands and logs of a service are nobody's but their owner's. */
public final class OwnerOnly {
    public static final FileAttribute<Set<PosixFilePermission>> FOLDER = of("rwx------");
    public static final FileAttribute<Set<PosixFilePermission>> FILE = of("rw-------");

    private OwnerOnly() {}

    private static FileAttribute<Set<PosixFilePermission>> of(String permissions) {
        return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions));
    }
}
