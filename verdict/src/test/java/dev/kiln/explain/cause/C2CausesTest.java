package dev.kiln.explain.cause;

import static dev.kiln.explain.HandMade.SECOND;
import static dev.kiln.explain.cause.CauseServices.changes;
import static dev.kiln.explain.cause.CauseServices.unwaitedService;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.explain.RunDigest;
import dev.kiln.explain.Service;
import dev.kiln.model.experiment.Change;
import dev.kiln.model.experiment.Modifier;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.FindingState;
import dev.kiln.model.run.Finding.RemedyPlace;
import dev.kiln.model.run.Provenance;
import dev.kiln.model.run.Sample.BlockedSample;
import dev.kiln.model.run.Sample.ThreadRole;
import dev.kiln.model.run.WaitKind;
import dev.kiln.stats.AnalysisConfig;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A C2 that misses CPU, and one that has more work than it can do: on both sides of each threshold. */
class C2CausesTest {
    @Test
    void aStarvedC2IsToldWithItsFigures() {
        Service service = Service.healthy().starved();

        Finding finding = service.finding("c2-starved");

        assertThat(finding.state()).isEqualTo(FindingState.CONFIRMED);
        assertThat(finding.title()).isEqualTo("C2 starved of CPU");
        assertThat(finding.weight()).isCloseTo(0.97, within(1e-9));
        assertThat(finding.evidence())
                .extracting(Finding.Proof::text)
                .containsExactly(
                        "C2 got 3.0 % of a CPU and waited for one 97.0 % of the time in the last 15 s of the load",
                        "the compilers had a CPU for 4 % of the time their compilations took (about 100 % when served)",
                        "of the time it asked for a CPU it waited 97 %; 0 % of the time it was blocked or idle",
                        "it was starved from second 0 to the end of the load, 60 s");
        assertThat(finding.evidence().getFirst().when()).contains(new Finding.Moment(45, 60));
        assertThat(finding.explains()).containsExactly(Finding.Effect.BELOW_PEAK);
        assertThat(finding.evidence().getLast().when()).contains(new Finding.Moment(0, 60));
        assertThat(finding.remedies())
                .extracting(Finding.FindingRemedy::place)
                .contains(RemedyPlace.LAUNCH_FLAG, RemedyPlace.LIVE_PROCESS, RemedyPlace.PLATFORM);
        assertThat(finding.remedies())
                .anySatisfy(remedy -> assertThat(remedy.how()).startsWith("renice -n -20"));
        assertThat(Service.healthy().starved().held()).containsExactly("c2-starved");
    }

    /** The switch was measured with Spring Boot: another framework may have none. */
    @Test
    void virtualThreadsComeFirstWhereSpringServesAndLastByTheirConditionElsewhere() {
        Service unknown = Service.healthy().starved();
        Service command = Service.healthy().starved();
        command.made.command = List.of("java", "-jar", "target/app/fruits-spring.jar");
        Service dumped = Service.healthy().starved();
        dumped.made.blocked.add(new BlockedSample(
                60 * SECOND,
                "http",
                false,
                1,
                WaitKind.RUNNABLE,
                "org.springframework.util.ReflectionUtils.invokeMethod:281",
                "",
                ""));
        Service named = Service.healthy().starved();
        named.made.thread(60, 9, "container-0", ThreadRole.OTHER, 0, 0);

        assertThat(remedies(unknown))
                .last()
                .asString()
                .isEqualTo("serve requests on virtual threads, if its framework can");
        assertThat(unknown.finding("c2-starved").remedies().getLast().cost())
                .startsWith("nothing shows Spring Boot here");
        assertThat(List.of(command, dumped, named))
                .allSatisfy(service -> assertThat(remedies(service))
                        .startsWith("serve requests on virtual threads")
                        .doesNotContain("serve requests on virtual threads, if its framework can"));
    }

    /** Only what says which code runs shows it: a region may be called so. */
    @ParameterizedTest
    @CsvSource({
        "java -Dregion=spring -jar /home/springer/app.jar offspring.yaml, false",
        "java -jar app.jar --region spring, false",
        "java -cp lib/a.jar com.shop.Main --spring.profiles.active=prod spring-boot.yaml, false",
        "./start.sh --region spring, false",
        "taskset -c 0 /usr/bin/java -Xmx1g -cp lib/a.jar:lib/spring-core-6.2.jar com.shop.Main, true",
        "java --class-path=lib/spring-boot/* com.shop.Main, true",
        "java -p mods -m spring.shop/com.shop.Main, true",
        "java org.springframework.boot.loader.launch.JarLauncher, true",
        "java -Dspring.profiles.active=prod -jar app.jar, true",
        "java @/opt/jvm.options -jar /opt/shop-spring.jar, true",
        "java -jar /opt/Shop-Spring.jar --region spring, true",
    })
    void whatRunsShowsSpringAndNotWhatItIsTold(String command, boolean spring) {
        Service service = Service.healthy().starved();
        service.made.command = List.of(command.split(" ", -1));

        assertThat(remedies(service).contains("serve requests on virtual threads"))
                .isEqualTo(spring);
        assertThat(remedies(service).contains("serve requests on virtual threads, if its framework can"))
                .isEqualTo(!spring);
    }

    private static List<String> remedies(Service service) {
        return service.finding("c2-starved").remedies().stream()
                .map(Finding.FindingRemedy::what)
                .toList();
    }

    @Test
    void c2IsStarvedIfItWaitsMostOfTheTimeAndOfItsTime() {
        assertThat(c2(0.19, 0.51)).contains("c2-starved");
        assertThat(c2(0.2, 0.51)).as("71.8 % of its time").isEmpty();
        assertThat(c2(0.1, 0.49)).as("it waits for less than half of the time").isEmpty();
        assertThat(c2(0.1, 0.5)).contains("c2-starved");
        assertThat(Service.healthy().first("c2-starved")).startsWith("C2 got 1.0 % of a CPU and waited for one 1.0 %");
    }

    private static List<String> c2(double cpu, double wait) {
        Service service = Service.healthy();
        service.c2Cpu = cpu;
        service.c2Wait = wait;
        return service.held();
    }

    @Test
    void withoutWaitsTheCompileTimeDecides() {
        assertThat(unwaited(0.25))
                .contains("held: the compilers had a CPU for 24 % of the time their compilations took");
        assertThat(unwaited(0.35)).contains("not-observable: the time threads wait for a CPU was not recorded");
        assertThat(unwaited(0.5)).contains("ruled-out: the compilers had a CPU for 48 %");
    }

    /** Sources that have no column for it leave the waits unknown, which is no lack of load. */
    @Test
    void withoutAColumnForWaitsTheCompileTimeDecidesToo() {
        Service service = unwaitedService(0.25);
        service.evidence();
        service.made.provenance = Optional.of(new Provenance(
                List.of("p"),
                new Provenance.SourceBins(0, false, Provenance.SourceKind.TIME),
                false,
                false,
                false,
                OptionalLong.empty(),
                List.of()));
        List<Finding> findings =
                RunDigest.of(service.made.evidence(), AnalysisConfig.defaults()).findings();

        assertThat(findings)
                .filteredOn(f -> f.id().equals("c2-starved"))
                .extracting(
                        f -> f.state().text() + ": " + f.evidence().getFirst().text())
                .containsExactly("held: the compilers had a CPU for 24 % of the time their compilations took"
                        + " (about 100 % when served)");
    }

    private static String unwaited(double efficiency) {
        Finding finding = unwaitedService(efficiency).finding("c2-starved");
        return finding.state().text() + ": " + finding.evidence().getFirst().text();
    }

    @Test
    void withoutCompilerThreadsNothingIsSaidOfC2() {
        Service blind = Service.healthy();
        blind.threads = false;
        Service nativeProgram = Service.healthy();
        nativeProgram.evidence();
        nativeProgram.made.threads.removeIf(t -> t.name().startsWith("C"));
        List<Finding> findings = RunDigest.of(nativeProgram.made.evidence(), AnalysisConfig.defaults())
                .findings();

        assertThat(blind.finding("c2-starved").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(Service.healthy().threadsAlone().finding("c2-starved").state())
                .isEqualTo(FindingState.RULED_OUT);
        assertThat(findings)
                .filteredOn(f -> f.id().equals("c2-starved"))
                .extracting(f -> f.state().text())
                .containsExactly("ruled-out");
    }

    @Test
    void tooManyRunnableNamesThePool() {
        Service service = Service.healthy().starved();
        service.targetWait = 45;
        service.targetWaitAfter = 43.9;
        service.workerWait = 44;

        Finding finding = service.finding("too-many-runnable");

        assertThat(service.held()).contains("too-many-runnable");
        assertThat(finding.weight()).isCloseTo(0.95 * (1 - 1 / 45.0), within(1e-9));
        assertThat(finding.evidence())
                .extracting(Finding.Proof::text)
                .containsExactly(
                        "45.9 threads of the target were runnable on average, for 1 CPU",
                        "most of them in the pool http-nio-8080-e: 45 threads, of which 44.0 waited on average");
        Service few = Service.healthy().starved();
        few.targetWait = 4.9;
        assertThat(few.held()).containsExactly("c2-starved");
        few = Service.healthy().starved();
        few.targetWait = 5;
        few.targetWaitAfter = 3.9;
        assertThat(few.held()).containsExactly("c2-starved", "too-many-runnable");
    }

    @Test
    void aLongQueueIsABacklogAndSoIsWorkInThePause() {
        Service queue = Service.healthy();
        queue.queue = 100;
        Service shortQueue = Service.healthy();
        shortQueue.queue = 99;
        shortQueue.c2InPause = 0.9;
        Service pause = Service.healthy();
        pause.asked = false;
        pause.c2InPause = 0.15;
        Service idle = Service.healthy();
        idle.asked = false;
        idle.c2InPause = 0.13;

        assertThat(queue.held()).containsExactly("c2-backlog");
        assertThat(queue.finding("c2-backlog").weight()).isCloseTo(0.5, within(1e-9));
        assertThat(queue.first("c2-backlog"))
                .isEqualTo("100 methods waited for C2 in the last 15 s of the load (median)");
        assertThat(changes(queue, "c2-backlog")).contains(Change.with(new Modifier.CiCompilerCount(4)));
        Service wide = Service.healthy();
        wide.made.flags = List.of("-XX:CICompilerCount=12");
        wide.queue = queue.queue;
        assertThat(changes(wide, "c2-backlog")).contains(Change.with(new Modifier.CiCompilerCount(24)));
        assertThat(shortQueue.held())
                .as("the queue knows better than the pause")
                .isEmpty();
        assertThat(pause.held()).containsExactly("c2-backlog");
        assertThat(pause.finding("c2-backlog").evidence())
                .containsExactly(new Finding.Proof(
                        "C2 used 2.3 s of CPU in the pause of 15 s, when no request came",
                        Optional.of(new Finding.Moment(60, 75))));
        assertThat(idle.held()).isEmpty();
    }

    /** A wait that ended at second 40 holds nothing down at second 60. */
    @Test
    void aStarvationThatEndedIsSaidToHaveEnded() {
        Service service = Service.healthy().starved();
        service.c2WaitsUntil = 50;
        Finding finding = service.finding("c2-starved");

        assertThat(finding.state()).isEqualTo(FindingState.RULED_OUT);
        assertThat(finding.explains()).isEmpty();
        assertThat(finding.evidence().getFirst().text())
                .isEqualTo("C2 got 3.0 % of a CPU and waited for one 1.0 % of the time in the last 15 s of the load");
        assertThat(finding.evidence().getLast())
                .isEqualTo(new Finding.Proof(
                        "it was starved from second 0, the last time until second 40",
                        Optional.of(new Finding.Moment(0, 40))));
        assertThat(RunDigest.of(service.evidence(), AnalysisConfig.defaults())
                        .diagnosis()
                        .compilers()
                        .starved())
                .isEmpty();
    }

    /** Three compilers that each wait 20 % of the time are not one that waits 60 % of it. */
    @Test
    void waitsAreJudgedByThreadAndNotByTheirSum() {
        Service service = Service.healthy();
        service.c2Threads = 3;
        service.c2Cpu = 0.05;
        service.c2Wait = 0.2;
        assertThat(service.finding("c2-starved").state()).isEqualTo(FindingState.RULED_OUT);
        assertThat(service.first("c2-starved")).startsWith("C2 got 15.0 % of a CPU and waited for one 20.0 %");

        Service all = Service.healthy().starved();
        all.c2Threads = 3;
        assertThat(all.finding("c2-starved").state()).isEqualTo(FindingState.CONFIRMED);
        assertThat(all.first("c2-starved")).startsWith("C2 got 9.0 % of a CPU and waited for one 97.0 %");
    }

    @Test
    void aCompilerForWhichNothingWaitsHoldsNothingDown() {
        Service service = Service.healthy().starved();
        service.queue = 0;

        assertThat(service.finding("c2-starved").state()).isEqualTo(FindingState.RULED_OUT);
        assertThat(service.first("c2-starved"))
                .endsWith("in the last 15 s of the load, but no method waited to be compiled");
    }
}
