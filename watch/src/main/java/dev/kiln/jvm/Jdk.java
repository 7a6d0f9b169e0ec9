package dev.kiln.jvm;

import dev.kiln.files.InputFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;

/** A Jdk is installed in a folder without links; its version is as {@code 25.0.3}, feature 0 if unknown. */
public record Jdk(Path home, String version, int feature, String vendor) {
    /** Describes the JDK as it is told to people. */
    public String text() {
        return vendor + " " + version + " (" + home + ")";
    }

    public Path java() {
        return home.resolve("bin").resolve("java");
    }

    /** Returns a version's feature: 8 of {@code 1.8.0_412}, 26 of {@code 26-ea}; 0 if it is none. */
    public static int feature(String version) {
        String modern = version.startsWith("1.") ? version.substring(2) : version;
        int end = 0;
        while (end < modern.length() && Character.isDigit(modern.charAt(end))) {
            end++;
        }
        return end == 0 || end > 4 ? 0 : Integer.parseInt(modern.substring(0, end));
    }

    /** An ElfFile has a program's header (System V ABI, ch. 4): byte order at 5, e_machine (short) at 18. */
    static final class ElfFile {
        private static final int MAGIC = 0x7f454c46;
        private static final int HEAD = 20;

        private ElfFile() {}

        /** Returns the processor that the program is for, by the kernel's name; {@code unknown} for other files. */
        static String architecture(Path program) {
            try (InputStream in = InputFile.followed(program)) {
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
}
