import java.io.IOException;
import java.net.URI;
import java.util.List;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** A busy JVM with much code to compile: javac over and over, on {@code args[0]} threads, its output thrown away. */
public class Target {
    private static final String SOURCE = "class A { Object f(java.util.Map<String, Integer> m) {"
            + " return m.entrySet().stream().map(e -> e.getKey() + e.getValue()).sorted().toList(); } }";

    public static void main(String[] args) throws InterruptedException {
        for (int i = 0; i < Integer.parseInt(args[0]); i++) {
            new Thread(Target::work, "worker-" + i).start();
        }
        System.out.println("ready");
        Thread.currentThread().join();
    }

    private static void work() {
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        JavaFileObject source = new SimpleJavaFileObject(URI.create("string:///A.java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return SOURCE;
            }
        };
        while (true) {
            try (Nowhere files = new Nowhere(javac.getStandardFileManager(null, null, null))) {
                javac.getTask(null, files, null, null, null, List.of(source)).call();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Takes classes and forgets them. */
    private static final class Nowhere extends ForwardingJavaFileManager<StandardJavaFileManager> {
        Nowhere(StandardJavaFileManager files) {
            super(files);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                JavaFileManager.Location location, String name, JavaFileObject.Kind kind, javax.tools.FileObject sibling) {
            return new SimpleJavaFileObject(URI.create("mem:///" + name + ".class"), kind) {
                @Override
                public java.io.OutputStream openOutputStream() {
                    return java.io.OutputStream.nullOutputStream();
                }
            };
        }
    }
}
