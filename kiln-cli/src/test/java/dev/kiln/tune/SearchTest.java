package dev.kiln.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.compare.Configuration;
import dev.kiln.compare.Measured;
import dev.kiln.compare.Measured.Observation;
import dev.kiln.compare.Quantity;
import dev.kiln.model.KilnException;
import dev.kiln.model.Metric;
import dev.kiln.model.experiment.Change;
import dev.kiln.model.experiment.Modifier;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Target.ReadySign;
import dev.kiln.model.experiment.Variant;
import dev.kiln.plan.Changes;
import dev.kiln.tune.Tuning.CauseShare;
import dev.kiln.tune.Tuning.Tried;
import dev.kiln.tune.Tuning.TuneVerdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/** Searches on services whose true figures are known. */
class SearchTest {
    private static final String BASELINE = "baseline";
    private static final double DEFICIT = 30;
    private static final double PEAK = 1000;
    private static final double LOAD_SECONDS = 120;

    /** A boost that ends earlier ends before the compilers are done. */
    private static final double ENOUGH_SECONDS = 30;

    /** What a variant truly is, before noise. */
    private record Truth(double deficit, double peak, double failing, double noise) {
        Truth(double deficit) {
            this(deficit, PEAK, 0, 0.08);
        }
    }

    private record Run(double deficit, double peak, double p99) {}

    /** Of every run. */
    private static final double P99 = 20;

    /** Runs are drawn: the machine's drift hits a block, and noise each run. */
    private static class Simulated implements Trials {
        private final Map<String, Truth> truths = new LinkedHashMap<>();
        private final Map<String, Double> boosts = new LinkedHashMap<>();
        private final List<Candidate> candidates = new ArrayList<>();
        private final Map<String, Map<String, List<Run>>> drawn = new LinkedHashMap<>();
        private final Map<String, Integer> asked = new LinkedHashMap<>();
        private final Random random;
        private final List<String> leftOut = new ArrayList<>();
        private final List<String> without = new ArrayList<>();
        private int runsLeft = Integer.MAX_VALUE;

        /** A short run takes a third of a whole one. */
        private int shortRuns;

        private final Map<String, Double> slower = new LinkedHashMap<>();
        private final Set<String> spoiled = new HashSet<>();
        private final Set<String> untried = new HashSet<>();
        private Goal goal = Goal.DEFICIT;
        private BudgetPlan plan = BudgetPlan.USUAL;
        private final Set<String> looks = new HashSet<>();
        private final Map<String, double[]> screened = new LinkedHashMap<>();
        private Map<Candidate, SearchRecord> shown = Map.of();
        private final List<Map<String, Seen>> seen = new ArrayList<>();

        /** What a page would show of a candidate at a moment. */
        private record Seen(List<Double> gains, boolean out, String soFar) {}

        Simulated(long seed) {
            random = new Random(seed);
            truths.put(BASELINE, new Truth(DEFICIT));
        }

        /** With more CPU until its compilers were quiet. */
        Simulated boosted(String name, Truth truth, double cpus, double endSeconds) {
            truths.put(name, truth);
            boosts.put(name, endSeconds);
            Candidate plain = candidate(name);
            Change boost = Change.with(new Modifier.BoostedStart(cpus, 1, Optional.empty()));
            candidates.add(new Candidate(
                    Changes.of(plain.variant(), name, boost),
                    Optional.of(boost),
                    plain.causes(),
                    plain.cost(),
                    List.of()));
            return this;
        }

        /** One that is no more than a modifier. */
        Simulated with(Modifier modifier, Truth truth) {
            truths.put(modifier.name(), truth);
            Candidate plain = candidate(modifier.name());
            candidates.add(new Candidate(
                    plain.variant(), Optional.of(Change.with(modifier)), plain.causes(), plain.cost(), List.of()));
            return this;
        }

        Simulated with(String name, Truth truth) {
            truths.put(name, truth);
            candidates.add(candidate(name));
            return this;
        }

        @Override
        public Results run(String stage, List<Candidate> some, int blocks) {
            List<String> names = new ArrayList<>(List.of(BASELINE));
            some.forEach(one -> names.add(one.name()));
            Map<String, List<Run>> runs = drawn.computeIfAbsent(stage, key -> new LinkedHashMap<>());
            for (int block = asked.getOrDefault(stage, 0); block < blocks; block++) {
                double drift = Math.exp(0.1 * random.nextGaussian());
                for (String name : names) {
                    runs.computeIfAbsent(name, key -> new ArrayList<>()).add(draw(name, drift));
                    runsLeft--;
                }
            }
            asked.put(stage, blocks);
            Map<String, Configuration> measured = new LinkedHashMap<>();
            names.stream()
                    .filter(name -> !spoiled.contains(name) && !untried.contains(name))
                    .forEach(name -> measured.put(name, configuration(name, runs.getOrDefault(name, List.of()))));
            Map<String, String> failed = new LinkedHashMap<>();
            untried.forEach(name -> failed.put(name, "its cache could not be made"));
            names.stream()
                    .filter(name ->
                            Optional.ofNullable(truths.get(name)).orElseThrow().failing() > 0)
                    .forEach(name -> failed.put(name, "1 % of its requests failed"));
            return new Results(measured, failed, untried);
        }

        private Run draw(String name, double drift) {
            Truth truth = Optional.ofNullable(truths.get(name)).orElseThrow();
            return new Run(
                    truth.deficit() * drift * Math.exp(truth.noise() * random.nextGaussian()),
                    truth.peak() * Math.exp(0.01 * random.nextGaussian()),
                    slower.getOrDefault(name, 1.0) * P99 * Math.exp(0.2 * random.nextGaussian()));
        }

        private Configuration configuration(String name, List<Run> runs) {
            Truth truth = Optional.ofNullable(truths.get(name)).orElseThrow();
            Map<Metric, List<Observation>> all = new EnumMap<>(Metric.class);
            for (int i = 0; i < runs.size(); i++) {
                if (goal == Goal.SLO) {
                    add(all, Metric.SLO_MET, i, runs.get(i).deficit());
                    add(all, Metric.P99, i, runs.get(i).p99());
                    continue;
                }
                add(all, Metric.WARMUP_COST, i, runs.get(i).deficit());
                add(
                        all,
                        Metric.REQUESTS,
                        i,
                        truth.peak() * (LOAD_SECONDS - runs.get(i).deficit()));
                add(all, Metric.PEAK, i, runs.get(i).peak());
                add(all, Metric.P99, i, runs.get(i).p99());
                int block = i;
                Optional.ofNullable(boosts.get(name)).ifPresent(seconds -> {
                    add(all, Metric.BOOST_END, block, seconds);
                    add(all, Metric.AFTER_BOOST, block, seconds >= ENOUGH_SECONDS ? 98 : 80);
                });
            }
            List<Measured> metrics = new ArrayList<>();
            all.forEach((metric, values) -> metrics.add(new Measured(Quantity.of(metric), values)));
            metrics.add(new Measured(
                    Quantity.of(Metric.T90),
                    List.of(new Observation(1, LOAD_SECONDS, true)),
                    OptionalDouble.of(LOAD_SECONDS),
                    1,
                    Optional.empty()));
            return new Configuration(
                    name,
                    Optional.of("sim"),
                    new Configuration.Origin("sim", name),
                    List.of(),
                    metrics,
                    List.of(),
                    false,
                    List.of());
        }

        private static void add(Map<Metric, List<Observation>> all, Metric metric, int i, double value) {
            all.computeIfAbsent(metric, key -> new ArrayList<>()).add(new Observation(i + 1, value, false));
        }

        @Override
        public boolean affords(String stage, List<Candidate> some, int blocks, int reserve) {
            return (blocks - asked.getOrDefault(stage, 0)) * (1 + some.size()) + reserve + shortRuns / 3.0 <= runsLeft;
        }

        /** Throughput comes to its peak exponentially, so that the deficit of the truth is lost in a long load. */
        private double[] seconds(String name) {
            Truth truth = Optional.ofNullable(truths.get(name)).orElseThrow();
            double deficit = truth.deficit() * Math.exp(truth.noise() * random.nextGaussian());
            double run = Math.exp(0.02 * random.nextGaussian());
            double[] served = new double[Screening.SECONDS];
            for (int i = 0; i < served.length; i++) {
                served[i] = run * truth.peak() * (1 - Math.exp(-(i + 0.5) / deficit));
            }
            return served;
        }

        @Override
        public Screens screen(String stage, List<Candidate> some) {
            List<String> names = new ArrayList<>(List.of(BASELINE));
            some.forEach(one -> names.add(one.name()));
            for (String name : names) {
                if (!screened.containsKey(name)) {
                    screened.put(name, seconds(name));
                    shortRuns += name.equals(BASELINE) ? 0 : 1;
                }
            }
            double[] base = Optional.ofNullable(screened.get(BASELINE)).orElseThrow();
            Screening screening = Screening.of((int) LOAD_SECONDS, List.of(base));
            Map<String, Screening.Screened> served = new LinkedHashMap<>();
            Map<String, String> failed = new LinkedHashMap<>();
            for (Candidate one : some) {
                double[] run = Optional.ofNullable(screened.get(one.name())).orElseThrow();
                if (Optional.ofNullable(truths.get(one.name())).orElseThrow().failing() > 0) {
                    failed.put(one.name(), "1 % of its requests failed");
                } else {
                    served.put(one.name(), screening.look(base, run, Screening.SECONDS));
                }
            }
            return new Screens(served, failed, Set.of());
        }

        @Override
        public boolean affordsScreens(String stage, List<Candidate> some, int reserve) {
            long missing = some.stream()
                    .filter(one -> !screened.containsKey(one.name()))
                    .count();
            return missing / 3.0 + shortRuns / 3.0 + reserve <= runsLeft;
        }

        @Override
        public FoundCandidates candidates(Goal by) {
            return new FoundCandidates(candidates, leftOut, without);
        }

        @Override
        public Candidate boosted(Candidate candidate, Modifier.BoostedStart boost) {
            Candidate other = Candidates.boosted(candidate, boost);
            truths.put(
                    other.name(),
                    Optional.ofNullable(truths.get(candidate.name())).orElseThrow());
            boosts.put(other.name(), (double) boost.time().orElseThrow().toSeconds());
            return other;
        }

        @Override
        public void tell(String text) {
            seen.add(now());
        }

        @Override
        public boolean mayLook(String id, int most) {
            return looks.contains(id) || looks.size() < most;
        }

        @Override
        public void looks(String id) {
            looks.add(id);
        }

        @Override
        public void shows(Map<Candidate, SearchRecord> records) {
            shown = records;
        }

        private Map<String, Seen> now() {
            Map<String, Seen> now = new LinkedHashMap<>();
            shown.forEach((candidate, record) ->
                    now.put(candidate.name(), new Seen(List.copyOf(record.gains), record.out, record.soFar())));
            return now;
        }

        Tuning search() {
            return new Search(this, BASELINE, goal, 0.97, plan, 0.95, this::together).run();
        }

        /** The truth of two together: the losses that each leaves, one after the other. */
        private Candidate together(Candidate a, Candidate b) {
            String name = a.name() + "-and-" + b.name();
            Truth one = Optional.ofNullable(truths.get(a.name())).orElseThrow();
            Truth other = Optional.ofNullable(truths.get(b.name())).orElseThrow();
            truths.put(
                    name,
                    new Truth(
                            one.deficit() * other.deficit() / DEFICIT,
                            Math.min(one.peak(), other.peak()),
                            Math.max(one.failing(), other.failing()),
                            one.noise()));
            Candidate both = candidate(name);
            return new Candidate(both.variant(), both.change(), both.causes(), both.cost(), List.of(a, b));
        }

        private static Candidate candidate(String name) {
            Target target = new Target(
                    new Target.Program(List.of("java"), List.of(), Map.of(), Optional.empty()),
                    Target.Jvm.USUAL,
                    new ReadySign.FirstResponse(Duration.ofSeconds(1)));
            return new Candidate(
                    new Variant(name, target),
                    Optional.of(Change.flags("-D" + name)),
                    List.of("cause of " + name),
                    Optional.empty(),
                    List.of());
        }
    }

    private static Simulated duds(long seed) {
        return new Simulated(seed)
                .with("nothing", new Truth(DEFICIT))
                .with("slower", new Truth(1.3 * DEFICIT))
                .with("breaks", new Truth(0.3 * DEFICIT, PEAK, 0.01, 0.08))
                .with("lower", new Truth(0.3 * DEFICIT, 0.95 * PEAK, 0, 0.08))
                .with("lucky", new Truth(DEFICIT, PEAK, 0, 0.4));
    }

    @Test
    void noDudIsEverRecommended() {
        for (int seed = 1; seed <= 40; seed++) {
            Tuning tuning = duds(seed).search();
            assertThat(tuning.verdict())
                    .as("seed " + seed + ": " + told(tuning))
                    .isNotEqualTo(TuneVerdict.IMPROVED);
        }
    }

    @Test
    void theCureIsFoundAmongThem() {
        for (int seed = 1; seed <= 20; seed++) {
            Tuning tuning = duds(seed).with("cure", new Truth(0.4 * DEFICIT)).search();
            assertThat(tuning.verdict())
                    .as("seed " + seed + ": " + told(tuning))
                    .isEqualTo(TuneVerdict.IMPROVED);
            assertThat(tuning.winner().orElseThrow().candidate().name()).startsWith("cure");
            assertThat(tuning.winner().orElseThrow().effect().orElseThrow().hi())
                    .isLessThan(1);
        }
    }

    @Test
    void whatIsKnownOfEachCandidateIsShownWhileTheSearchGoesOn() {
        Simulated simulated = duds(1).with("cure", new Truth(0.4 * DEFICIT));
        Tuning tuning = simulated.search();

        assertThat(simulated.seen.getFirst()).containsOnlyKeys("nothing", "slower", "breaks", "lower", "lucky", "cure");
        assertThat(simulated.seen.getFirst().values())
                .allMatch(one ->
                        one.gains().isEmpty() && !one.out() && one.soFar().equals("not tried yet"));
        assertThat(Optional.ofNullable(simulated.seen.get(1).get("cure"))
                        .orElseThrow()
                        .gains())
                .singleElement(InstanceOfAssertFactories.DOUBLE)
                .isPositive();
        assertThat(simulated.seen.getLast().get("breaks"))
                .isEqualTo(new Simulated.Seen(List.of(), true, "1 % of its requests failed"));
        assertThat(simulated.now().values())
                .extracting(Simulated.Seen::soFar)
                .containsExactlyElementsOf(
                        tuning.tried().stream().map(Tried::words).toList());
    }

    /** Which one is the best is known at the end: a page that says so of others before is wrong. */
    @Test
    void nothingIsTheBestWhileTheSearchGoesOn() {
        Simulated simulated = duds(1).with("cure", new Truth(0.4 * DEFICIT));
        Tuning tuning = simulated.search();

        assertThat(simulated.seen)
                .flatExtracting(Map::values)
                .map(Simulated.Seen::soFar)
                .contains("not decided yet")
                .doesNotContain("another was the best");
        assertThat(tuning.verdict()).isEqualTo(TuneVerdict.IMPROVED);
        assertThat(tuning.tried()).extracting(Tried::words).contains("another was the best", "proven");
        Tuning none = duds(1).search();
        assertThat(none.verdict()).isNotEqualTo(TuneVerdict.IMPROVED);
        assertThat(none.tried()).extracting(Tried::words).doesNotContain("another was the best");
    }

    private static String told(Tuning tuning) {
        List<String> lines = new ArrayList<>(List.of(tuning.why()));
        tuning.tried()
                .forEach(one -> lines.add(one.candidate().name() + " " + one.runs() + " "
                        + one.gain().orElse(0.0) + " " + one.words()));
        return String.join("\n", lines);
    }

    @Test
    void whatHelpsTogetherIsOneCureAndEachPartIsToldApart() {
        Tuning tuning = new Simulated(1)
                .with("threads", new Truth(0.4 * DEFICIT))
                .with("cache", new Truth(0.5 * DEFICIT))
                .with("nothing", new Truth(DEFICIT))
                .search();
        assertThat(tuning.verdict()).isEqualTo(TuneVerdict.IMPROVED);
        Tuning.TuneProof proof = tuning.winner().orElseThrow();
        assertThat(proof.candidate().name()).contains("threads", "cache");
        assertThat(proof.shares()).hasSize(3);
        double all = proof.shares().stream().mapToDouble(CauseShare::seconds).sum();
        assertThat(all).isBetween(0.8 * DEFICIT, 1.2 * DEFICIT);
        assertThat(proof.shares().getLast().cause()).isEmpty();
    }

    @Test
    void whereNoCauseIsConfirmedThereIsNothingToGain() {
        Simulated healthy = new Simulated(1);
        healthy.truths.put(BASELINE, new Truth(4));
        Tuning tuning = healthy.search();
        assertThat(tuning.verdict()).isEqualTo(TuneVerdict.NOTHING_TO_GAIN);
        assertThat(tuning.why()).startsWith("no cause that Kiln can cure held back the runs of baseline");
    }

    /** What nobody reads is no candidate that was left out. */
    @Test
    void whatCanDoNothingIsToldAndLeavesNothingOpen() {
        Simulated healthy = new Simulated(1);
        healthy.truths.put(BASELINE, new Truth(4));
        healthy.without.add("virtual-threads: the service has no Spring Boot");
        Tuning tuning = healthy.search();
        assertThat(tuning.verdict()).isEqualTo(TuneVerdict.NOTHING_TO_GAIN);
        assertThat(tuning.why()).contains("(virtual-threads: the service has no Spring Boot)");
    }

    /** The larger of two runs is above the tenth that counts more often than what both lose. */
    @Test
    void aLittleLossIsJudgedByAllRuns() {
        int one = 0;
        for (int seed = 1; seed <= 40; seed++) {
            Simulated nearly = new Simulated(seed);
            nearly.truths.put(BASELINE, new Truth(0.095 * LOAD_SECONDS));
            TuneVerdict verdict = nearly.search().verdict();
            double[] lost = nearly.drawn.values().stream()
                    .flatMap(runs -> runs.getOrDefault(BASELINE, List.of()).stream())
                    .mapToDouble(Run::deficit)
                    .toArray();
            boolean little = Arrays.stream(lost).average().orElseThrow() <= 0.1 * LOAD_SECONDS;
            assertThat(verdict == TuneVerdict.NOTHING_TO_GAIN)
                    .as("seed " + seed)
                    .isEqualTo(little);
            one += little && Arrays.stream(lost).max().orElseThrow() > 0.1 * LOAD_SECONDS ? 1 : 0;
        }
        assertThat(one).isPositive();
    }

    @Test
    void aLossWithoutAKnownCauseIsNotNothing() {
        Tuning tuning = new Simulated(1).search();
        assertThat(tuning.verdict()).isEqualTo(TuneVerdict.CANNOT_TELL);
        assertThat(tuning.why()).contains("though it lost ", "% of its load");
    }

    @Test
    void oneThatChangesNothingIsShownToGainAtMostATenth() {
        Tuning tuning = new Simulated(1)
                .with("nothing", new Truth(DEFICIT, PEAK, 0, 0.02))
                .search();
        assertThat(tuning.verdict()).isEqualTo(TuneVerdict.NOTHING_TO_GAIN);
        assertThat(tuning.why()).contains("at most a tenth");
    }

    @Test
    void oneThatBreaksRequestsIsNoCureWhereItIsTheOnlyOne() {
        Tuning tuning = new Simulated(1)
                .with("breaks", new Truth(0.3 * DEFICIT, PEAK, 0.01, 0.02))
                .search();
        assertThat(tuning.verdict()).isEqualTo(TuneVerdict.CANNOT_TELL);
        assertThat(tuning.why()).isEqualTo("breaks: 1 % of its requests failed");
    }

    @Test
    void whereSomethingWasLeftOutNobodyKnowsThatThereIsNothing() {
        Simulated trials = new Simulated(1).with("nothing", new Truth(DEFICIT, PEAK, 0, 0.02));
        trials.leftOut.add("cure: not permitted");
        assertThat(trials.search().verdict()).isEqualTo(TuneVerdict.CANNOT_TELL);
        Simulated hurried = new Simulated(1)
                .with("nothing", new Truth(DEFICIT, PEAK, 0, 0.02))
                .with("cure", new Truth(0.4 * DEFICIT));
        hurried.runsLeft = 13;
        assertThat(hurried.search().verdict()).isEqualTo(TuneVerdict.CANNOT_TELL);
    }

    @Test
    void whatNobodyMeasuredIsNotNothing() {
        Simulated unlucky = new Simulated(1)
                .with("nothing", new Truth(DEFICIT, PEAK, 0, 0.02))
                .with("cure", new Truth(0.4 * DEFICIT));
        unlucky.spoiled.add("cure");
        Tuning tuning = unlucky.search();
        assertThat(tuning.verdict()).isEqualTo(TuneVerdict.CANNOT_TELL);
        assertThat(tuning.tried().get(1).words()).isEqualTo("no run of cure was valid in the proof");
        Simulated cached = new Simulated(1)
                .with("nothing", new Truth(DEFICIT, PEAK, 0, 0.02))
                .with("cure", new Truth(0.4 * DEFICIT));
        cached.untried.add("cure");
        assertThat(cached.search().verdict()).isEqualTo(TuneVerdict.CANNOT_TELL);
        Simulated broken = new Simulated(1)
                .with("nothing", new Truth(DEFICIT, PEAK, 0, 0.02))
                .with("breaks", new Truth(0.4 * DEFICIT, PEAK, 0.01, 0.02));
        assertThat(broken.search().verdict()).as("it was tried, and is no cure").isEqualTo(TuneVerdict.NOTHING_TO_GAIN);
    }

    @Test
    void aCureWhoseP99IsLikelyWorseIsNotRecommended() {
        int recommended = 0;
        for (int seed = 1; seed <= 40; seed++) {
            Simulated trials = new Simulated(seed).with("cure", new Truth(0.4 * DEFICIT));
            trials.slower.put("cure", 1.65);
            Tuning tuning = trials.search();
            recommended += tuning.verdict() == TuneVerdict.IMPROVED ? 1 : 0;
            assertThat(tuning.why()).contains("p99");
        }
        assertThat(recommended).isZero();
    }

    /** One peaks higher alone than with the other: then the parts would not add up against the peaks of pairs. */
    @Test
    void theSharesAddUpToTheLoss() {
        Tuning tuning = new Simulated(1)
                .with("threads", new Truth(0.5 * DEFICIT, 1.05 * PEAK, 0, 0.02))
                .with("cache", new Truth(0.5 * DEFICIT, PEAK, 0, 0.02))
                .search();
        Tuning.TuneProof proof = tuning.winner().orElseThrow();
        assertThat(proof.shares()).as(told(tuning)).hasSize(3);
        assertThat(proof.shares().stream().mapToDouble(CauseShare::seconds).sum())
                .isCloseTo(proof.before().orElseThrow(), within(2.5));
    }

    /** It serves 120,000 requests where the other serves 110,000, and the baseline 90,000. */
    @Test
    void theOneThatServesMoreIsTheBetterOne() {
        Tuning tuning = new Simulated(1)
                .with("soon", new Truth(10, PEAK, 0, 0.02))
                .with("high", new Truth(60, 2 * PEAK, 0, 0.02))
                .search();
        List<Double> gains =
                tuning.tried().stream().map(one -> one.gain().orElseThrow()).toList();
        assertThat(gains.get(1)).as(told(tuning)).isGreaterThan(gains.get(0));
    }

    @Test
    void aBoostOfAGivenLengthIsHandedOverAsItIs() {
        Simulated trials = new Simulated(1);
        Candidate plain = Simulated.candidate("boosted");
        Modifier.BoostedStart boost = new Modifier.BoostedStart(2, 1, Optional.of(Duration.ofSeconds(35)));
        trials.truths.put("boosted", new Truth(0.4 * DEFICIT));
        trials.boosts.put("boosted", 35.0);
        trials.candidates.add(plain.with(Changes.of(plain.variant(), "boosted", Change.with(boost))));
        Tuning.Boost found = trials.search().boost().orElseThrow();
        assertThat(found.modifier()).isEqualTo(boost);
        assertThat(found.stage()).contains("5-proof-boosted");
        assertThat(found.enough()).isTrue();
        assertThat(found.steps()).containsExactly(step(35, 98));
    }

    /** Four lengths that suffice do not show that the fifth does not. */
    @Test
    void aBoostIsMadeShorterUntilItsEndCosts() {
        Tuning.Boost boost = new Simulated(1)
                .boosted("cpu-boost-until-warm", new Truth(0.4 * DEFICIT), 2, 75)
                .search()
                .boost()
                .orElseThrow();
        assertThat(boost.modifier().time()).contains(Duration.ofSeconds(35));
        assertThat(boost.stage()).contains("6-boost, 6-boost-2");
        assertThat(boost.steps()).hasSize(8).contains(step(35, 98), step(25, 80));
    }

    @Test
    void theLeastBoostThatSufficesIsFound() {
        Tuning tuning = new Simulated(1)
                .boosted("cpu-boost-until-warm", new Truth(0.4 * DEFICIT), 2, 41.2)
                .search();
        assertThat(tuning.verdict()).isEqualTo(TuneVerdict.IMPROVED);
        Tuning.Boost boost = tuning.boost().orElseThrow();
        assertThat(boost.modifier()).isEqualTo(new Modifier.BoostedStart(2, 1, Optional.of(Duration.ofSeconds(32))));
        assertThat(boost.stage()).contains("6-boost");
        assertThat(boost.enough()).isTrue();
        assertThat(boost.steps()).containsExactly(step(42, 98), step(32, 98), step(22, 80), step(12, 80));
    }

    @Test
    void twoBoostsAreNotOne() {
        Tuning tuning = new Simulated(1)
                .boosted("twice-until-warm", new Truth(0.5 * DEFICIT), 2, 41.2)
                .boosted("four-times-until-warm", new Truth(0.4 * DEFICIT), 4, 41.2)
                .search();
        assertThat(tuning.tried()).extracting(one -> one.candidate().name()).noneMatch(name -> name.contains("-and-"));
    }

    @Test
    void whereNoLengthSufficesItIsNotSaid() {
        Tuning tuning = new Simulated(1)
                .boosted("cpu-boost-until-warm", new Truth(0.4 * DEFICIT), 2, 25)
                .search();
        Tuning.Boost boost = tuning.boost().orElseThrow();
        assertThat(boost.enough()).isFalse();
        assertThat(boost.modifier().time()).contains(Duration.ofSeconds(25));
        assertThat(boost.steps()).containsExactly(step(25, 80), step(15, 80), step(5, 80));
    }

    private static Tuning.Boost.BoostStep step(double seconds, double after) {
        return new Tuning.Boost.BoostStep(seconds, OptionalDouble.of(after));
    }

    private static final Modifier FAVOURED = new Modifier.CompilerPriority(Modifier.CompilerPriority.ModifiedBy.AUTO);

    private static final BudgetPlan SCREENED = new BudgetPlan(2, 8, 5, 9);

    /** One run of the baseline, four short runs, and a proof of four pairs: what 20 minutes allow. */
    @Test
    void aCureIsFoundAmongFourCandidatesInTwelveRuns() {
        int found = 0;
        for (int seed = 1; seed <= 20; seed++) {
            Simulated trials = new Simulated(seed)
                    .with(new Modifier.VirtualThreads(), new Truth(DEFICIT))
                    .with(FAVOURED, new Truth(0.4 * DEFICIT))
                    .with(new Modifier.XBatch(), new Truth(0.8 * DEFICIT))
                    .with("unread", new Truth(DEFICIT));
            trials.plan = new BudgetPlan(1, 4, 4, 1);
            trials.runsLeft = 11;
            Tuning tuning = trials.search();
            assertThat(tuning.tried())
                    .as(seed + ": " + told(tuning))
                    .allSatisfy(one -> assertThat(one.screened()).isPresent());
            assertThat(tuning.winner().orElseThrow().candidate().name()).isEqualTo("compiler-priority");
            assertThat(trials.runsLeft).isNotNegative();
            found += tuning.verdict() == TuneVerdict.IMPROVED ? 1 : 0;
        }
        assertThat(found).isGreaterThan(17);
    }

    @Test
    void dudsThatWereScreenedAreRecommendedNoMoreOftenThanTheErrorAllows() {
        int wrong = 0;
        for (int seed = 1; seed <= 40; seed++) {
            Simulated trials = duds(seed);
            trials.plan = SCREENED;
            wrong += trials.search().verdict() == TuneVerdict.IMPROVED ? 1 : 0;
        }
        assertThat(wrong).as("each search is right in 95 %").isLessThanOrEqualTo(2);
    }

    /** The last ones are the least promising. They are told, and not as if something was known of them. */
    @Test
    void whatDoesNotFitIsNotScreened() {
        Simulated trials = new Simulated(1)
                .with("cure", new Truth(0.4 * DEFICIT))
                .with("second", new Truth(DEFICIT))
                .with("third", new Truth(DEFICIT))
                .with("fourth", new Truth(DEFICIT));
        trials.plan = new BudgetPlan(1, 3, 4, 1);
        trials.runsLeft = 10;
        Tuning tuning = trials.search();
        assertThat(tuning.winner().orElseThrow().candidate().name()).isEqualTo("cure");
        assertThat(tuning.tried().get(3).fate()).isEmpty();
        assertThat(tuning.tried().get(3).runs()).isZero();
        assertThat(trials.shortRuns).isEqualTo(3);
    }

    /** What favoured compilers win is the most that any cure of their starvation can. */
    @Test
    void whereFavouredCompilersWinNothingTheOtherCausesComeFirst() {
        Truth nothing = new Truth(DEFICIT, PEAK, 0, 0.02);
        Simulated trials = new Simulated(1)
                .with(new Modifier.VirtualThreads(), nothing)
                .with(FAVOURED, nothing)
                .with(new Modifier.XBatch(), nothing)
                .with("collector", new Truth(0.4 * DEFICIT));
        trials.plan = new BudgetPlan(2, 2, 5, 9);
        Tuning tuning = trials.search();

        assertThat(tuning.verdict()).as(told(tuning)).isEqualTo(TuneVerdict.IMPROVED);
        assertThat(tuning.winner().orElseThrow().candidate().name()).isEqualTo("collector");
        assertThat(tuning.tried())
                .filteredOn(one -> List.of("virtual-threads", "xbatch")
                        .contains(one.candidate().name()))
                .hasSize(2)
                .allSatisfy(one -> {
                    assertThat(one.runs()).isZero();
                    assertThat(one.fate())
                            .as("one short run of another shows nothing of it")
                            .isEmpty();
                });
    }

    @Test
    void whereTheyWinNothingAndThereIsNothingElseItIsShownOnFreshRuns() {
        Truth nothing = new Truth(DEFICIT, PEAK, 0, 0.02);
        int shown = 0;
        int wrong = 0;
        for (int seed = 1; seed <= 40; seed++) {
            Simulated trials = new Simulated(seed)
                    .with(new Modifier.VirtualThreads(), nothing)
                    .with(FAVOURED, nothing)
                    .with(new Modifier.XBatch(), nothing);
            trials.plan = SCREENED;
            Tuning tuning = trials.search();
            assertThat(tuning.winner().orElseThrow().effect()).isPresent();
            wrong += tuning.verdict() == TuneVerdict.IMPROVED ? 1 : 0;
            shown += tuning.verdict() == TuneVerdict.NOTHING_TO_GAIN ? 1 : 0;
        }
        assertThat(shown).isGreaterThan(20);
        assertThat(wrong).as("each search is right in 95 %").isLessThanOrEqualTo(2);
    }

    @Test
    void aCureThatOnlyTheBoundShowsIsFound() {
        int found = 0;
        for (int seed = 1; seed <= 20; seed++) {
            Simulated trials = new Simulated(seed)
                    .with(new Modifier.VirtualThreads(), new Truth(DEFICIT))
                    .with(new Modifier.XBatch(), new Truth(1.1 * DEFICIT))
                    .with(FAVOURED, new Truth(0.4 * DEFICIT));
            trials.plan = SCREENED;
            Tuning tuning = trials.search();
            assertThat(tuning.winner().orElseThrow().candidate().name())
                    .as(seed + ": " + told(tuning))
                    .contains("compiler-priority");
            // A p99 may seem worse by chance, and then there is no recommendation.
            found += tuning.verdict() == TuneVerdict.IMPROVED ? 1 : 0;
        }
        assertThat(found).isGreaterThanOrEqualTo(18);
    }

    /** One that gains a little more, and needs rights for it, is not worth them. */
    @Test
    void ofTwoThatGainAsMuchTheOneThatTakesLessIsProven() {
        Simulated trials = new Simulated(1).with(FAVOURED, new Truth(0.40 * DEFICIT, PEAK, 0, 0.001));
        // One of the user's own, which nothing can be put together with.
        trials.truths.put("own", new Truth(0.41 * DEFICIT, PEAK, 0, 0.001));
        trials.candidates.add(Candidate.of(Simulated.candidate("own").variant()));
        Tuning tuning = trials.search();

        assertThat(tuning.winner().orElseThrow().candidate().name()).isEqualTo("own");
        assertThat(tuning.tried().getFirst().words())
                .isEqualTo("it gained as much to a twentieth, and takes more of rights or risk");
    }

    /** A service that serves a whole rate shows no peak, and none is asked of it. */
    @Test
    void underARateTheTimeToTheSloIsImproved() {
        Simulated trials = new Simulated(1).with("cure", new Truth(0.4 * DEFICIT));
        trials.goal = Goal.SLO;
        Tuning tuning = trials.search();
        assertThat(tuning.verdict()).as(told(tuning)).isEqualTo(TuneVerdict.IMPROVED);
        assertThat(tuning.winner().orElseThrow().shares()).isEmpty();
    }

    /** After the first round 21 of 30 runs are left, and a second one would leave 13: a single look. */
    @Test
    void theProofCanLookTwiceBeforeAnotherRound() {
        for (int budget : new int[] {30, 37}) {
            Simulated trials = duds(1).with("cure", new Truth(0.4 * DEFICIT));
            trials.runsLeft = budget;
            trials.search();
            assertThat(trials.asked.containsKey("3-round-2"))
                    .as("budget " + budget)
                    .isEqualTo(budget == 37);
        }
    }

    @Test
    void theBudgetIsKept() {
        for (int budget = 14; budget < 60; budget += 5) {
            Simulated trials = duds(1).with("cure", new Truth(0.4 * DEFICIT));
            trials.runsLeft = budget;
            trials.search();
            assertThat(trials.runsLeft).as("budget " + budget).isNotNegative();
        }
    }

    @Test
    void aBaselineWithoutAValidRunIsNoBeginning() {
        Trials none = new Simulated(1) {
            @Override
            public Results run(String stage, List<Candidate> some, int blocks) {
                return new Results(Map.of(), Map.of());
            }
        };
        assertThatThrownBy(
                        () -> new Search(none, BASELINE, Goal.DEFICIT, 0.97, BudgetPlan.USUAL, 0.95, (a, b) -> a).run())
                .isInstanceOf(KilnException.class)
                .hasMessageContaining("no run of baseline is valid");
    }
}
