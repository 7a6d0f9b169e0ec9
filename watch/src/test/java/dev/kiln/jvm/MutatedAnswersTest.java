package dev.kiln.jvm;

import dev.kiln.Mutations;
import dev.kiln.jvm.DiagnosticCommands.CodeCacheText;
import dev.kiln.jvm.DiagnosticCommands.CodeList;
import dev.kiln.jvm.DiagnosticCommands.CompileQueues;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** A JVM answers what it likes. */
class MutatedAnswersTest {
    private static final String CACHE = """
            CodeHeap 'non-profiled nmethods': size=120028Kb used=2345Kb max_used=2345Kb free=117682Kb
            CodeHeap 'profiled nmethods': size=120028Kb used=9345Kb max_used=9345Kb free=110682Kb
             total_blobs=6173, nmethods=5531, adapters=549, full_count=0
            Compilation: enabled, stopped_count=0, restarted_count=0
            """;
    private static final String QUEUE = """
            Current compiles:
            C1 CompilerThread0  1234       3       java.lang.String::length (5 bytes)

            C1 compile queue:
            1235       3       java.lang.String::isEmpty (5 bytes)

            C2 compile queue:
            Empty
            """;
    private static final String LIST = """
            12 3 0 java.lang.String.length()I [0x1, 0x2 - 0x3]
            13 4 1 java.lang.String.isEmpty()Z [0x1, 0x2 - 0x3]
            """;

    private static final String LEFT = """
            Deoptimization events (3 events):
            Event: 1.688 Thread 0x1cd4175070 Uncommon trap: reason=range_check action=none pc=0x1 method=a.B.c(I)I @ 2 c2
            Event: 1.688 Thread 0x1cd4175070 DEOPT PACKING pc=0x1 sp=0x2
            Event: 1.690 Thread 0x1cd4175070 DEOPT PACKING pc=0x1 sp=0x2
            """;

    @Test
    void noAnswerIsTooMuch() {
        Mutations.of(CACHE, Mutations.MANY, CodeCacheText::parse);
        Mutations.of(QUEUE, Mutations.MANY, CompileQueues::parse);
        Mutations.of(LEFT, Mutations.MANY, text -> new DeoptimisationLog().since(text, 2_000_000_000L));
        Mutations.of("1.234 s", Mutations.MANY, text -> new DeoptimisationLog().clock(text, 2_000_000_000L));
        Mutations.of(LIST.getBytes(StandardCharsets.UTF_8), Mutations.MANY, bytes -> new CodeList().levels(bytes));
    }
}
