package dev.kiln.model.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.model.run.CodeFamily.CodeFrame;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** On frames as JVMs write them, the innermost first. */
class CodeFamilyTest {
    private static final String SERVED = " org.springframework.web.method.support.InvocableHandlerMethod.invoke"
            + " jdk.internal.reflect.DirectMethodHandleAccessor.invoke java.lang.reflect.Method.invoke java.lang.Thread.run";

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            exceptions | java.lang.Throwable.fillInStackTrace java.lang.Throwable.<init> java.lang.RuntimeException.<init> com.acme.No.<init> com.acme.A.b
            exceptions | java.lang.StackTraceElement.initStackTraceElements java.lang.StackTraceElement.of java.lang.Throwable.getOurStackTrace java.lang.Throwable.getStackTrace com.acme.A.b
            exceptions | java.lang.String.valueOf java.io.PrintWriter.println java.lang.Throwable$WrappedPrintWriter.println java.lang.Throwable.printStackTrace com.acme.A.b
            exceptions | java.lang.StackStreamFactory$AbstractStackWalker.callStackWalk java.lang.StackWalker.walk com.acme.A.b
            reflection | java.lang.Class.searchMethods java.lang.Class.getMethod0 java.lang.Class.getMethod com.acme.A.b
            reflection | java.lang.reflect.Method.copy jdk.internal.reflect.ReflectionFactory.copyMethod java.lang.Class.getMethod com.acme.A.b
            reflection | jdk.internal.reflect.Reflection.verifyMemberAccess java.lang.reflect.AccessibleObject.checkAccess java.lang.reflect.Method.invoke com.acme.A.b
            reflection | java.lang.invoke.MemberName$Factory.resolve java.lang.invoke.MethodHandles$Lookup.findVirtual com.acme.A.b
            reflection | java.lang.Throwable.fillInStackTrace java.lang.NoSuchMethodException.<init> java.lang.Class.getMethod com.acme.A.b
            ''         | java.lang.String.indexOf jdk.internal.reflect.DirectMethodHandleAccessor.invoke java.lang.reflect.Method.invoke com.acme.A.b
            ''         | java.lang.reflect.Array.newInstance java.util.Arrays.copyOf java.util.ArrayList.toArray com.acme.A.b
            ''         | java.util.HashMap.get com.acme.A.b
            ''         | com.acme.A.b
            logging | ch.qos.logback.classic.Logger.info com.acme.A.b
            logging | java.lang.StackStreamFactory$AbstractStackWalker.callStackWalk java.util.logging.LogRecord.inferCaller java.util.logging.Logger.info com.acme.A.b
            logging | java.util.Formatter.format java.util.logging.SimpleFormatter.format java.util.logging.StreamHandler.publish com.acme.A.b
            logging | java.lang.String.concat org.apache.logging.log4j.core.pattern.DatePatternConverter.format com.acme.A.b
            class-loading | java.lang.ClassLoader.defineClass1 java.lang.ClassLoader.defineClass com.acme.Fresh.<init>
            class-loading | java.util.zip.Inflater.inflateBytesBytes java.util.jar.JarFile.getBytes java.net.URLClassLoader.findClass java.lang.ClassLoader.loadClass com.acme.A.b
            class-loading | java.lang.Class.forName0 java.lang.Class.forName com.acme.A.b
            class-loading | java.lang.Throwable.fillInStackTrace java.lang.ClassNotFoundException.<init> jdk.internal.loader.BuiltinClassLoader.loadClass java.lang.Class.forName com.acme.A.b
            class-loading | java.io.RandomAccessFile.readBytes org.springframework.boot.loader.zip.FileDataBlock.read org.springframework.boot.loader.launch.LaunchedClassLoader.loadClass
            class-loading | java.util.HashMap.get org.apache.catalina.loader.WebappClassLoaderBase.loadClass com.acme.A.b
            ''         | java.util.zip.Inflater.inflate jdk.internal.loader.URLClassPath.getResource java.lang.ClassLoader.getResource com.acme.A.b
            ''         | com.acme.Registry.findClass com.acme.A.b
            """)
    void theInnerFramesSayWhatAProgramCalled(String family, String frames) {
        assertThat(of(frames + SERVED).map(CodeFamily::id).orElse("")).isEqualTo(family);
    }

    @Test
    void codeThatIsNotJavasBelongsToTheFrameThatCalledIt() {
        assertThat(CodeFamily.of(List.of(
                        new CodeFrame("", "JVM_FillInStackTrace"),
                        new CodeFrame("java.lang.Throwable", "fillInStackTrace"),
                        new CodeFrame("com.acme.No", "<init>"))))
                .contains(CodeFamily.EXCEPTIONS);
        assertThat(CodeFamily.of(List.of())).isEmpty();
    }

    private static Optional<CodeFamily> of(String frames) {
        return CodeFamily.of(Arrays.stream(frames.split(" ", -1))
                .map(frame -> new CodeFrame(
                        frame.substring(0, frame.lastIndexOf('.')), frame.substring(frame.lastIndexOf('.') + 1)))
                .toList());
    }
}
