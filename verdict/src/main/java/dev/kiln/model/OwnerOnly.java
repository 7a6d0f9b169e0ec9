package dev.kiln.model;

import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** OwnerOnly is the permission of what Kiln makes: only the owner may read a service's commands and logs. */
public final class OwnerOnly {
    public static final FileAttribute<Set<PosixFilePermission>> FOLDER = of("rwx------");
    public static final FileAttribute<Set<PosixFilePermission>> FILE = of("rw-------");

    private OwnerOnly() {}

    private static FileAttribute<Set<PosixFilePermission>> of(String permissions) {
        return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions));
    }
}
