package dev.kiln;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.FileReader;
import java.io.FileWriter;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;

/** The arrows between packages: each points one way. */
@AnalyzeClasses(
        packages = "dev.kiln",
        importOptions = {ImportOption.DoNotIncludeTests.class, ArchitectureTest.NoJarOfTests.class})
class ArchitectureTest {
    /** What other modules' tests share comes as jars in a whole build. */
    static final class NoJarOfTests implements ImportOption {
        @Override
        public boolean includes(Location location) {
            return !location.contains("-tests.jar");
        }
    }

    /** A class with nothing but static methods carries no state across. */
    private static final DescribedPredicate<JavaClass> HAVE_INSTANCES = DescribedPredicate.describe(
            "have instances",
            type -> type.getConstructors().stream()
                    .anyMatch(constructor -> !constructor.getModifiers().contains(JavaModifier.PRIVATE)));

    private static final List<String> PRODUCT_FOLDERS =
            List.of("doctor", "startup", "soak", "sweep", "gate", "history", "tune", "aot");

    /** What lies below the command line; between modules, Maven sees to it as well. */
    @ArchTest
    static final ArchRule ARROWS = layeredArchitecture()
            .consideringOnlyDependenciesInAnyPackage("dev.kiln..")
            .withOptionalLayers(true)
            .layer("files")
            .definedBy("dev.kiln.files..")
            .layer("model")
            .definedBy("dev.kiln.model..")
            .layer("stats")
            .definedBy("dev.kiln.stats..")
            .layer("text")
            .definedBy("dev.kiln.text..")
            .layer("compare")
            .definedBy("dev.kiln.compare..")
            .layer("evidence")
            .definedBy("dev.kiln.evidence..")
            .layer("host")
            .definedBy("dev.kiln.host..")
            .layer("plan")
            .definedBy("dev.kiln.plan..")
            .layer("jvm")
            .definedBy("dev.kiln.jvm..")
            .layer("load")
            .definedBy("dev.kiln.load..")
            .layer("importer")
            .definedBy("dev.kiln.importer..")
            .layer("engines")
            .definedBy("dev.kiln.engines..")
            .layer("explain")
            .definedBy("dev.kiln.explain..")
            .layer("study")
            .definedBy("dev.kiln.study..")
            .layer("recorder")
            .definedBy("dev.kiln.recorder..")
            .layer("postgres")
            .definedBy("dev.kiln.postgres..")
            .layer("launch")
            .definedBy("dev.kiln.launch..")
            .layer("remote")
            .definedBy("dev.kiln.remote..")
            .layer("runner")
            .definedBy("dev.kiln.runner..")
            .whereLayer("files")
            .mayNotAccessAnyLayer()
            .whereLayer("model")
            .mayNotAccessAnyLayer()
            .whereLayer("stats")
            .mayOnlyAccessLayers("model")
            .whereLayer("evidence")
            .mayOnlyAccessLayers("files", "model", "text")
            .whereLayer("host")
            .mayOnlyAccessLayers("files", "model")
            .whereLayer("text")
            .mayOnlyAccessLayers("files", "model")
            .whereLayer("plan")
            .mayOnlyAccessLayers("files", "model", "text", "engines")
            .whereLayer("compare")
            .mayOnlyAccessLayers("model", "stats", "explain")
            .whereLayer("jvm")
            .mayOnlyAccessLayers("files", "model", "host")
            .whereLayer("load")
            .mayOnlyAccessLayers("files", "model", "evidence", "host")
            .whereLayer("explain")
            .mayOnlyAccessLayers("model", "stats")
            .whereLayer("importer")
            .mayOnlyAccessLayers("files", "model", "evidence", "text", "jvm")
            .whereLayer("engines")
            .mayOnlyAccessLayers("files", "model", "evidence", "host", "load", "importer")
            .whereLayer("recorder")
            .mayOnlyAccessLayers("files", "model", "evidence", "host", "jvm")
            .whereLayer("postgres")
            .mayOnlyAccessLayers("files", "model", "host")
            .whereLayer("launch")
            .mayOnlyAccessLayers("files", "model", "host", "jvm")
            .whereLayer("remote")
            .mayOnlyAccessLayers("files", "model", "evidence", "host", "jvm", "load", "recorder", "launch")
            .whereLayer("runner")
            .mayOnlyAccessLayers(
                    "files",
                    "model",
                    "evidence",
                    "host",
                    "jvm",
                    "load",
                    "engines",
                    "recorder",
                    "postgres",
                    "launch",
                    "remote")
            .whereLayer("study")
            .mayOnlyAccessLayers("model", "text", "stats", "evidence", "explain");

    /**
     * Each product is one folder, which no other folder knows. What products share lies below them: they hang in by
     * interfaces that {@code META-INF/services} lists.
     */
    @ArchTest
    static final ArchRule PRODUCTS = products();

    private static LayeredArchitecture products() {
        String shared = "shared";
        LayeredArchitecture rule = layeredArchitecture()
                .consideringOnlyDependenciesInLayers()
                .layer(shared)
                .definedBy(
                        "dev.kiln.report..",
                        "dev.kiln.console..",
                        "dev.kiln.results..",
                        "dev.kiln.serve..",
                        "dev.kiln.run..")
                .layer("main")
                .definedBy("dev.kiln.cli..")
                .whereLayer("main")
                .mayNotBeAccessedByAnyLayer();
        for (String product : PRODUCT_FOLDERS) {
            rule = rule.layer(product)
                    .definedBy("dev.kiln." + product + "..")
                    .whereLayer(product)
                    .mayOnlyBeAccessedByLayers("main");
        }
        return rule;
    }

    /** A run shows its page and its result; a result is shown on a console, and all of them say it in one way. */
    @ArchTest
    static final ArchRule WHAT_PRODUCTS_SHARE = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("report")
            .definedBy("dev.kiln.report..")
            .layer("console")
            .definedBy("dev.kiln.console..")
            .layer("results")
            .definedBy("dev.kiln.results..")
            .layer("serve")
            .definedBy("dev.kiln.serve..")
            .layer("run")
            .definedBy("dev.kiln.run..")
            .whereLayer("report")
            .mayNotAccessAnyLayer()
            .whereLayer("console")
            .mayOnlyAccessLayers("report")
            .whereLayer("results")
            .mayOnlyAccessLayers("console", "report")
            .whereLayer("serve")
            .mayOnlyAccessLayers("console", "report")
            .whereLayer("run")
            .mayOnlyAccessLayers("console", "report", "results", "serve");

    /** What a person, a program and a browser are told is made of the same words and figures. */
    @ArchTest
    static final ArchRule FORMS_OF_A_REPORT_KNOW_WHAT_THEY_SHARE_AND_NOT_ONE_ANOTHER = layeredArchitecture()
            .consideringOnlyDependenciesInAnyPackage("dev.kiln.report..")
            .layer("shared")
            .definedBy("dev.kiln.report")
            .layer("html")
            .definedBy("dev.kiln.report.html")
            .layer("json")
            .definedBy("dev.kiln.report.json")
            .layer("terminal")
            .definedBy("dev.kiln.report.terminal")
            .whereLayer("shared")
            .mayNotAccessAnyLayer()
            .whereLayer("html")
            .mayOnlyAccessLayers("shared")
            .whereLayer("json")
            .mayOnlyAccessLayers("shared")
            .whereLayer("terminal")
            .mayOnlyAccessLayers("shared");

    /** Opening, reading and writing of files, but for what is named in {@link #OTHER_FILES}. */
    private static final DescribedPredicate<JavaCall<?>> OPENS_A_FILE =
            DescribedPredicate.describe("opens a file by its name", call -> {
                JavaClass owner = call.getTargetOwner();
                String name = call.getTarget().getName();
                boolean stream = List.of(
                                RandomAccessFile.class,
                                FileInputStream.class,
                                FileOutputStream.class,
                                FileReader.class,
                                FileWriter.class)
                        .stream()
                        .anyMatch(owner::isEquivalentTo);
                return (owner.isEquivalentTo(Files.class)
                                && name.matches("read(AllBytes|String|AllLines)|lines|copy|write(String)?"
                                        + "|new(InputStream|OutputStream|ByteChannel|BufferedReader|BufferedWriter)"))
                        || (owner.isEquivalentTo(FileChannel.class) && name.equals("open"))
                        || (stream && name.equals(JavaConstructor.CONSTRUCTOR_NAME));
            });

    /** Who opens files in another way, and why nobody else can have put something in their place. */
    private static final Map<String, String> OTHER_FILES = Map.ofEntries(
            Map.entry("dev.kiln.host.proc.ProcFs", "the kernel's files, read at each tick"),
            Map.entry("dev.kiln.host.proc.Cgroups", "writes to a cgroup"),
            Map.entry("dev.kiln.host.process.TargetCgroup", "writes to a cgroup"),
            Map.entry("dev.kiln.runner.PageCache", "writes to /proc/sys, and reads a program of the system"),
            Map.entry("dev.kiln.host.process.OrphanRegistry", "a locked file in the user's own state folder"),
            Map.entry("dev.kiln.host.process.Orphans", "a locked file in the user's own state folder"),
            Map.entry("dev.kiln.postgres.PostgresFolder", "a file made with its permissions in a folder made for it"),
            Map.entry("dev.kiln.postgres.PostgresBinaries", "unpacks into a folder made for it"),
            Map.entry("dev.kiln.load.driver.DriverMain", "its own standard output"),
            Map.entry("dev.kiln.console.StandardOutput", "its own standard output"),
            Map.entry("dev.kiln.remote.AgentMain", "its own standard output"),
            Map.entry("dev.kiln.remote.Shipment", "files of this installation"));

    @ArchTest
    static final ArchRule FILES_ARE_OPENED_IN_ONE_WAY = noClasses()
            .that()
            .resideOutsideOfPackages("dev.kiln.files", "dev.kiln.fixtures..")
            .and(DescribedPredicate.describe(
                    "are not known to open another kind",
                    type -> !OTHER_FILES.containsKey(type.getName().replaceFirst("\\$.*", ""))))
            .should()
            .callCodeUnitWhere(OPENS_A_FILE);

    /** Everything that is printed goes through the writer that replaces control characters. */
    @ArchTest
    static final ArchRule NOBODY_PRINTS_PAST_THE_TERMINAL_WRITER = noClasses()
            .that()
            .resideOutsideOfPackages("dev.kiln.load.driver..", "dev.kiln.remote..", "dev.kiln.fixtures..")
            .and()
            .doNotHaveFullyQualifiedName("dev.kiln.cli.Main")
            .and()
            .doNotHaveFullyQualifiedName("dev.kiln.console.StandardOutput")
            .should()
            .accessField(System.class, "out");

    /** What is to be run says what is to be sent, and what was recorded says what was to be run. */
    @ArchTest
    static final ArchRule ROOMS_OF_MODEL = layeredArchitecture()
            .consideringOnlyDependenciesInAnyPackage("dev.kiln.model..")
            .layer("shared")
            .definedBy("dev.kiln.model")
            .layer("load")
            .definedBy("dev.kiln.model.load")
            .layer("experiment")
            .definedBy("dev.kiln.model.experiment")
            .layer("run")
            .definedBy("dev.kiln.model.run")
            .whereLayer("shared")
            .mayNotAccessAnyLayer()
            .whereLayer("load")
            .mayOnlyAccessLayers("shared")
            .whereLayer("experiment")
            .mayOnlyAccessLayers("shared", "load");

    /** An experiment has a load, and both are made of texts. */
    @ArchTest
    static final ArchRule ROOMS_OF_PLAN = layeredArchitecture()
            .consideringOnlyDependenciesInAnyPackage("dev.kiln.plan..")
            .layer("text")
            .definedBy("dev.kiln.plan.text")
            .layer("load")
            .definedBy("dev.kiln.plan.load")
            .layer("experiment")
            .definedBy("dev.kiln.plan")
            .whereLayer("text")
            .mayNotAccessAnyLayer()
            .whereLayer("load")
            .mayOnlyAccessLayers("text");

    @ArchTest
    static final ArchRule ROOMS_OF_HOST = layeredArchitecture()
            .consideringOnlyDependenciesInAnyPackage("dev.kiln.host..")
            .layer("proc")
            .definedBy("dev.kiln.host.proc")
            .layer("process")
            .definedBy("dev.kiln.host.process")
            .layer("container")
            .definedBy("dev.kiln.host.container")
            .whereLayer("proc")
            .mayNotAccessAnyLayer()
            .whereLayer("process")
            .mayOnlyAccessLayers("proc");

    @ArchTest
    static final ArchRule ROOMS_OF_EXPLAIN = layeredArchitecture()
            .consideringOnlyDependenciesInAnyPackage("dev.kiln.explain..")
            .layer("window")
            .definedBy("dev.kiln.explain.window..")
            .layer("budget")
            .definedBy("dev.kiln.explain.budget..")
            .layer("cause")
            .definedBy("dev.kiln.explain.cause..")
            .layer("run")
            .definedBy("dev.kiln.explain")
            .layer("study")
            .definedBy("dev.kiln.explain.study..")
            .whereLayer("window")
            .mayNotAccessAnyLayer()
            .whereLayer("budget")
            .mayOnlyAccessLayers("window")
            .whereLayer("cause")
            .mayOnlyAccessLayers("window", "budget")
            .whereLayer("run")
            .mayOnlyAccessLayers("window", "budget", "cause");

    @ArchTest
    static final ArchRule STATISTICS_KNOW_NO_SERIES = noClasses()
            .that()
            .resideInAPackage("dev.kiln.stats")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.kiln.stats.series..");

    /** Who sends load by it sees the interface alone; only who starts Kiln's own driver names it. */
    @ArchTest
    static final ArchRule THE_INTERFACE_OF_LOAD_KNOWS_NO_DRIVER = noClasses()
            .that()
            .resideInAPackage("dev.kiln.load")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.kiln.load.driver..");

    @ArchTest
    static final ArchRule ROOMS_OF_THE_DRIVER = layeredArchitecture()
            .consideringOnlyDependenciesInAnyPackage("dev.kiln.load.driver..")
            .layer("bins")
            .definedBy("dev.kiln.load.driver.bins")
            .layer("http")
            .definedBy("dev.kiln.load.driver.http")
            .layer("driver")
            .definedBy("dev.kiln.load.driver")
            .whereLayer("bins")
            .mayNotAccessAnyLayer()
            .whereLayer("http")
            .mayOnlyAccessLayers("bins");

    /**
     * No class uses one that uses it, however far around; nested classes count as one with theirs. Of several circles ArchUnit
     * may name only one.
     */
    @ArchTest
    static final ArchRule NO_CIRCLES_OF_CLASSES = slices().assignedFrom(new SliceAssignment() {
                @Override
                public SliceIdentifier getIdentifierOf(JavaClass type) {
                    return SliceIdentifier.of(type.getName().replaceFirst("\\$.*", ""));
                }

                @Override
                public String getDescription() {
                    return "classes";
                }
            })
            .should()
            .beFreeOfCycles();

    @ArchTest
    static final ArchRule ANALYSIS_SEES_NO_PROCESS_FILE_OR_CLOCK = noClasses()
            .that()
            .resideInAnyPackage("dev.kiln.stats..", "dev.kiln.explain..")
            .or()
            .haveSimpleNameEndingWith("Assessment")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.io..", "java.nio.file..", "java.net..")
            .orShould()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(Process.class);

    @ArchTest
    static final ArchRule WHAT_CROSSES_PACKAGES_IS_IMMUTABLE = classes()
            .that()
            .resideInAPackage("dev.kiln.model..")
            .and()
            .areTopLevelClasses()
            .and()
            .areNotInterfaces()
            .and()
            .areNotEnums()
            .and()
            .areNotAssignableTo(Throwable.class)
            .and(HAVE_INSTANCES)
            .and()
            .doNotHaveSimpleName("package-info")
            .should()
            .beRecords();
}
