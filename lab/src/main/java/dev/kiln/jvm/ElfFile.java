package dev.kiln.jvm;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/** What the head of a Linux program tells. Layout: System V ABI, chapter 4: byte order at 5, e_machine (short) at 18. */
final class ElfFile {
    private static final int MAGIC = 0x7f454c46;
    private static final int HEAD = 20;

    private ElfFile() {}

    /** The processor it is for, by the kernel's name; {@code unknown} for anything that is no program. */
    static String architecture(Path program) {
        try (InputStream in = Files.newInputStream(program)) {
            return architecture(in.readNBytes(HEAD));
        } catch (IOException e) {
            return "unknown";
        }
    }

    static String architecture(byte[] head) {
        ByteBuffer bytes = ByteBuffer.wrap(head);
        if (head.length < HEAD || bytes.getInt(0) != MAGIC) {
            return "unknown";
        }
        bytes.order(head[5] == 1 ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
        int machine = bytes.getShort(18);
        // Numbers of the registry in the ABI (EM_*).
        return switch (machine) {
            case 3 -> "i686";
            case 21 -> "ppc64";
            case 22 -> "s390x";
            case 40 -> "arm";
            case 62 -> "x86_64";
            case 183 -> "aarch64";
            case 243 -> "riscv64";
            case 258 -> "loongarch64";
            default -> "machine " + machine;
        };
    }
}
