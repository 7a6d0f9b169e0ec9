package dev.kiln.jvm;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.nio.file.Files;
import java.nio.file.Path;

/** A program that does nothing until its input ends, for JDK 8 and later: a JRE cannot compile one. */
final class IdleProgram {
    static final String NAME = "Idle";

    private static final int JAVA_8 = 52;

    private IdleProgram() {}

    static void writeInto(Path folder) throws IOException {
        ClassDesc input = ClassDesc.of("java.io.InputStream");
        byte[] bytes = ClassFile.of()
                .build(
                        ClassDesc.of(NAME),
                        type -> type.withVersion(JAVA_8, 0)
                                .withFlags(ClassFile.ACC_PUBLIC | ClassFile.ACC_SUPER)
                                .withMethodBody(
                                        "main",
                                        MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_String.arrayType()),
                                        ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC,
                                        code -> code.getstatic(ClassDesc.of("java.lang.System"), "in", input)
                                                .invokevirtual(input, "read", MethodTypeDesc.of(ConstantDescs.CD_int))
                                                .pop()
                                                .return_()));
        Files.write(folder.resolve(NAME + ".class"), bytes);
    }
}
