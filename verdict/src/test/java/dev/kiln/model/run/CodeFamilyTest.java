package dev.kiln.model.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
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
            application | java.lang.String.indexOf jdk.internal.reflect.DirectMethodHandleAccessor.invoke java.lang.reflect.Method.invoke com.acme.A.b
            application | java.lang.reflect.Array.newInstance java.util.Arrays.copyOf java.util.ArrayList.toArray com.acme.A.b
            application | java.util.HashMap.get com.acme.A.b
            application | com.acme.A.b
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
            application | java.util.zip.Inflater.inflate jdk.internal.loader.URLClassPath.getResource java.lang.ClassLoader.getResource com.acme.A.b
            application | com.acme.Registry.findClass com.acme.A.b
            class-loading | java.util.HashMap.put com.acme.Table.<clinit> com.acme.A.b
            reflection | java.lang.invoke.InvokerBytecodeGenerator.emitInvoke java.lang.invoke.LambdaForm.compileToBytecode com.acme.A.b
            reflection | java.lang.invoke.MethodType.makeImpl java.lang.invoke.MethodHandleNatives.linkCallSite com.acme.A.b
            reflection | java.lang.invoke.LambdaForm$MH+0x0000.invoke com.acme.A.b
            application | java.lang.String.concat java.lang.invoke.LambdaForm$MH+0x0000.invoke com.acme.A.b
            application | java.lang.invoke.VarHandleInts$FieldInstanceReadWrite.compareAndSet java.lang.invoke.VarHandleGuards.guard_LII_Z com.acme.A.b
            application | java.lang.invoke.LambdaForm$VH+0x0000.invoke java.lang.invoke.Invokers$Holder.invokeExact_MT com.acme.A.b
            cryptography | java.math.BigInteger.oddModPow sun.security.rsa.RSACore.crypt java.security.Signature.sign com.acme.A.b
            cryptography | sun.nio.ch.SocketDispatcher.write0 sun.security.ssl.SSLSocketOutputRecord.flush org.postgresql.core.PGStream.flush com.acme.A.b
            cryptography | io.netty.internal.tcnative.SSL.readFromSSL io.netty.handler.ssl.SslHandler.unwrap
            application | java.security.AccessController.executePrivileged com.acme.A.b
            regular-expressions | java.util.regex.Pattern$Loop.match java.util.regex.Matcher.matches java.lang.String.matches com.acme.A.b
            serialisation | java.util.HashMap.get com.fasterxml.jackson.core.sym.CharsToNameCanonicalizer.findSymbol com.acme.A.b
            serialisation | java.io.ObjectOutputStream.writeObject0 java.io.ObjectOutputStream.writeObject com.acme.A.b
            application | com.acme.Bean.getName com.fasterxml.jackson.databind.ser.BeanPropertyWriter.serializeAsField com.acme.A.b
            database-driver | java.nio.ByteBuffer.get org.postgresql.core.v3.QueryExecutorImpl.processResults com.acme.A.b
            exceptions | java.lang.Throwable.fillInStackTrace java.lang.Throwable.<init> java.sql.SQLException.<init> org.postgresql.core.v3.QueryExecutorImpl.receiveErrorResponse
            other | java.util.HashMap.get org.apache.catalina.connector.CoyoteAdapter.service com.acme.A.b
            other | java.lang.Thread.run
            application | kotlin.text.StringsKt.trim com.acme.A.b
            other | kotlin.coroutines.jvm.internal.BaseContinuationImpl.resumeWith kotlinx.coroutines.DispatchedTask.run com.acme.A.b
            """)
    void theInnerFramesSayWhatAProgramCalled(String family, String frames) {
        assertThat(of(frames + SERVED).id()).isEqualTo(family);
    }

    @Test
    void codeThatIsNotJavasBelongsToTheFrameThatCalledIt() {
        assertThat(CodeFamily.of(List.of(
                        new CodeFrame("", "JVM_FillInStackTrace"),
                        new CodeFrame("java.lang.Throwable", "fillInStackTrace"),
                        new CodeFrame("com.acme.No", "<init>"))))
                .isEqualTo(CodeFamily.EXCEPTIONS);
        assertThat(CodeFamily.of(
                        List.of(new CodeFrame("", "send"), new CodeFrame("sun.nio.ch.SocketDispatcher", "write0"))))
                .isEqualTo(CodeFamily.NATIVE);
        assertThat(CodeFamily.of(List.of())).isEqualTo(CodeFamily.OTHER);
    }

    /** A profiler sees the JVM look for the handler of an exception, below code of the program. */
    @Test
    void theWayToAHandlerIsAnException() {
        assertThat(CodeFamily.of(List.of(
                        new CodeFrame("", "CodeCache::find_blob"),
                        new CodeFrame("", "SharedRuntime::raw_exception_handler_for_return_address"),
                        new CodeFrame("com.acme.A", "b"))))
                .isEqualTo(CodeFamily.EXCEPTIONS);
    }

    @Test
    void everyFamilyIsFoundByItsName() {
        for (CodeFamily family : CodeFamily.values()) {
            assertThat(CodeFamily.named(family.id())).contains(family);
        }
        assertThat(CodeFamily.named("of-a-later-version")).isEmpty();
    }

    private static CodeFamily of(String frames) {
        return CodeFamily.of(Arrays.stream(frames.split(" ", -1))
                .map(frame -> new CodeFrame(
                        frame.substring(0, frame.lastIndexOf('.')), frame.substring(frame.lastIndexOf('.') + 1)))
                .toList());
    }
}
