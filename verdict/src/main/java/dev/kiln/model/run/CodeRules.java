package dev.kiln.model.run;

import java.util.List;
import java.util.regex.Pattern;

/** CodeRules are the frames of each family of code. A frame that is not Java's has no class: its text begins with a dot. */
final class CodeRules {
    static final CodeRule LOGGERS = CodeRule.types(
            "java.util.logging.",
            "jdk.internal.logger.",
            "sun.util.logging.",
            "ch.qos.logback.",
            "org.apache.logging.",
            "org.apache.log4j.",
            "org.apache.commons.logging.",
            "org.jboss.logmanager.",
            "org.jboss.logging.",
            "org.slf4j.",
            "org.tinylog.");

    /**
     * A resource is looked for in the same classes, and is none. Loaders of programs have these names too. Spring Boot reads nested
     * jars in classes of its own, below {@code loadClass}.
     */
    static final CodeRule CLASSES = CodeRule.types("org.springframework.boot.loader.")
            .or(CodeRule.frames(
                    "[\\w.$]*ClassLoader[\\w$]*\\.(load|find|define)(Loaded|Bootstrap)?Class\\w*",
                    "java\\.lang\\.Class\\.forName\\w*",
                    ".*\\.<clinit>"));

    /** Where one of these is the innermost frame, nothing was called yet. A VarHandle is a field and no call. */
    static final CodeRule CALLING = CodeRule.frames(
            "java\\.lang\\.invoke\\.(?!Var|LambdaForm\\$VH).*", "(java\\.lang|jdk\\.internal|sun)\\.reflect\\..*");

    /** These call on to code of another kind, which is further in. */
    private static final CodeRule CALLS = CodeRule.frames(
            "java\\.lang\\.reflect\\.(Method|Constructor|Proxy)\\.(invoke|newInstance)\\w*",
            "(jdk\\.internal|sun)\\.reflect\\..*Accessor.*\\.\\w+",
            "java\\.lang\\.invoke\\.(LambdaForm|\\w*MethodHandle|Invokers)(\\$\\S+)?\\.\\w+");

    /** Looks a member up, makes one accessible, or links a call. Arrays are made by reflection in every collection, and are none. */
    private static final CodeRule LOOK_UP = CodeRule.frames(
            "java\\.lang\\.Class\\.(get(Declared)?(Method|Constructor|Field)|privateGet|search(Methods|Fields)|checkMemberAccess"
                    + "|getReflectionFactory|reflectionData|copy(Methods|Fields|Constructors)).*",
            "java\\.lang\\.reflect\\.(?!Array\\.).*",
            "(jdk\\.internal|sun)\\.reflect\\..*",
            "java\\.lang\\.PublicMethods.*",
            "java\\.lang\\.invoke\\.MethodHandles\\$Lookup\\.(find|unreflect|resolve|check|in).*",
            "java\\.lang\\.invoke\\.(MethodHandleNatives\\.link|BootstrapMethodInvoker|\\w*Metafactory|StringConcatFactory).*",
            "java\\.lang\\.invoke\\.(InvokerBytecodeGenerator|LambdaFormEditor|ClassSpecializer).*");

    static final CodeRule MEMBERS =
            (frame, calling) -> CALLS.has(frame, calling) ? calling : LOOK_UP.has(frame, calling);

    /** Profilers name the JVM's own code that fills traces in and looks for handlers. */
    static final CodeRule THROWN = CodeRule.frames(
            "java\\.lang\\.Throwable(\\$\\w+)?\\.(<init>|fillInStackTrace|get(Our)?StackTrace\\w*|printStackTrace"
                    + "|printEnclosedStackTrace|setStackTrace|println?|lock)",
            "java\\.lang\\.(StackTraceElement|StackWalker|StackStreamFactory|StackFrameInfo)(\\$[\\w$]+)?\\..*",
            "\\.(JVM_FillInStackTrace|java_lang_Throwable::|Exceptions::|\\w*Runtime\\w*::\\w*(exception|rethrow)).*");

    static final CodeRule CRYPTOGRAPHY = CodeRule.types(
            "javax.crypto.",
            "javax.net.ssl.",
            "com.sun.crypto.",
            "sun.security.ssl.",
            "sun.security.provider.",
            "sun.security.rsa.",
            "sun.security.ec.",
            "sun.security.x509.",
            "sun.security.pkcs",
            "sun.security.validator.",
            "java.security.MessageDigest",
            "java.security.Signature",
            "java.security.SecureRandom",
            "java.security.Key",
            "java.security.cert.",
            "io.netty.handler.ssl.",
            "io.netty.internal.tcnative.",
            "org.bouncycastle.",
            "org.conscrypt.");

    static final CodeRule REGULAR_EXPRESSIONS = CodeRule.types("java.util.regex.", "com.google.re2j.");

    static final CodeRule FORMATS = CodeRule.types(
            "com.fasterxml.jackson.",
            "tools.jackson.",
            "com.google.gson.",
            "com.google.protobuf.",
            "com.alibaba.fastjson",
            "com.dslplatform.json.",
            "com.esotericsoftware.kryo.",
            "com.squareup.moshi.",
            "com.thoughtworks.xstream.",
            "kotlinx.serialization.",
            "org.json.",
            "jakarta.json.",
            "javax.json.",
            "org.glassfish.json.",
            "org.eclipse.yasson.",
            "org.eclipse.parsson.",
            "org.apache.avro.",
            "org.apache.thrift.",
            "org.yaml.snakeyaml.",
            "org.snakeyaml.",
            "jakarta.xml.",
            "javax.xml.",
            "org.xml.sax.",
            "jdk.xml.",
            "com.sun.xml.",
            "com.sun.org.apache.",
            "java.io.ObjectInputStream",
            "java.io.ObjectOutputStream",
            "java.io.ObjectStreamClass");

    /** H2, HSQLDB, Derby and SQLite have the database in it. */
    static final CodeRule DRIVERS = CodeRule.types(
            "org.postgresql.",
            "com.mysql.",
            "org.mariadb.",
            "oracle.jdbc.",
            "oracle.net.",
            "oracle.sql.",
            "com.microsoft.sqlserver.",
            "com.ibm.db2.",
            "org.h2.",
            "org.hsqldb.",
            "org.apache.derby.",
            "org.sqlite.",
            "io.r2dbc.",
            "com.mongodb.",
            "com.datastax.",
            "io.lettuce.",
            "redis.clients.");

    static final CodeRule LANGUAGES =
            CodeRule.types("kotlin.", "scala.", "clojure.", "groovy.", "org.codehaus.groovy.");

    /** FRAMEWORKS are those that Kiln knows; any other library counts as the application's code. */
    static final CodeRule FRAMEWORKS = CodeRule.types(
            "akka.",
            "com.github.benmanes.caffeine.",
            "com.google.common.",
            "com.google.inject.",
            "com.lmax.disruptor.",
            "com.zaxxer.hikari.",
            "io.grpc.",
            "io.helidon.",
            "io.javalin.",
            "io.ktor.",
            "io.micrometer.",
            "io.micronaut.",
            "io.netty.",
            "io.opentelemetry.",
            "io.quarkus.",
            "io.reactivex.",
            "io.smallrye.",
            "io.undertow.",
            "io.vertx.",
            "jakarta.",
            "kotlinx.",
            "net.bytebuddy.",
            "okhttp3.",
            "okio.",
            "org.apache.catalina.",
            "org.apache.commons.",
            "org.apache.coyote.",
            "org.apache.hc.",
            "org.apache.http.",
            "org.apache.ibatis.",
            "org.apache.pekko.",
            "org.apache.tomcat.",
            "org.aspectj.",
            "org.eclipse.jetty.",
            "org.glassfish.",
            "org.hibernate.",
            "org.jboss.",
            "org.jooq.",
            "org.reactivestreams.",
            "org.springframework.",
            "org.wildfly.",
            "org.xnio.",
            "play.",
            "reactor.");

    private CodeRules() {}

    /** A CodeRule tells whether a frame is of a family. */
    interface CodeRule {
        CodeRule NONE = (frame, calling) -> false;

        /** @param calling whether the innermost frame of Java is on the way to a call by reflection: nothing was called yet */
        boolean has(CodeFrame frame, boolean calling);

        /** Returns the rule of classes whose names begin so. */
        static CodeRule types(String... beginnings) {
            List<String> all = List.of(beginnings);
            return (frame, calling) -> all.stream().anyMatch(frame::isOf);
        }

        /** Returns the rule of frames whose class and method are so, as a regular expression. */
        static CodeRule frames(String... alternatives) {
            Pattern pattern = Pattern.compile(String.join("|", alternatives));
            return (frame, calling) -> pattern.matcher(frame.toString()).matches();
        }

        default CodeRule or(CodeRule other) {
            return (frame, calling) -> has(frame, calling) || other.has(frame, calling);
        }
    }
}
