package dev.kiln.tune;

import dev.kiln.compare.Configuration;
import dev.kiln.model.experiment.Change;
import dev.kiln.model.experiment.Modifier;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Target.ReadySign;
import dev.kiln.model.experiment.Variant;
import dev.kiln.plan.Changes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * Simulated trials are those of a service whose true figures are known. Runs are drawn: the machine's drift hits a block, and noise
 * each run.
 */
class Simulated implements Trials {
    static final String BASELINE = "baseline";
    static final double DEFICIT = 30;
    static final double PEAK = 1000;
    static final double LOAD_SECONDS = 120;

    static final String NO_EFFECT = "it had no effect: the JVM has the opposite in force";
    static final Modifier FAVOURED = new Modifier.CompilerPriority(Modifier.CompilerPriority.ModifiedBy.AUTO);

    /** What a variant truly is, before noise. */
    record Truth(double deficit, double peak, double failing, double noise) {
        Truth(double deficit) {
            this(deficit, PEAK, 0, 0.08);
        }
    }

    record Run(double deficit, double peak, double p99) {}

    /** Of every run. */
    static final double P99 = 20;

    final Map<String, Truth> truths = new LinkedHashMap<>();
    final Map<String, Double> boosts = new LinkedHashMap<>();
    final List<Candidate> candidates = new ArrayList<>();
    final Map<String, Map<String, List<Run>>> drawn = new LinkedHashMap<>();
    final Map<String, Integer> asked = new LinkedHashMap<>();
    private final Random random;
    final List<String> leftOut = new ArrayList<>();
    final List<String> without = new ArrayList<>();
    final List<String> uncured = new ArrayList<>();
    int runsLeft = Integer.MAX_VALUE;

    /** A short run takes a third of a whole one. */
    int shortRuns;

    final Map<String, Double> slower = new LinkedHashMap<>();

    /** Why the peak of a variant may be higher than what its runs served. */
    final Map<String, String> bounds = new LinkedHashMap<>();

    final Set<String> spoiled = new HashSet<>();
    final Set<String> untried = new HashSet<>();

    /** Candidates whose first run shows that nobody reads their flag. */
    final Set<String> unread = new HashSet<>();

    Goal goal = Goal.DEFICIT;
    BudgetPlan plan = BudgetPlan.USUAL;
    private final Set<String> looks = new HashSet<>();
    private final Map<String, double[]> screened = new LinkedHashMap<>();
    private Map<Candidate, SearchRecord> shown = Map.of();
    final List<Map<String, Seen>> seen = new ArrayList<>();

    /** What a page would show of a candidate at a moment. */
    record Seen(List<Double> gains, boolean out, String soFar) {}

    Simulated(long seed) {
        random = new Random(seed);
        truths.put(BASELINE, new Truth(DEFICIT));
    }

    /** A service with candidates that cure nothing, or at a price. */
    static Simulated duds(long seed) {
        return new Simulated(seed)
                .with("nothing", new Truth(DEFICIT))
                .with("slower", new Truth(1.3 * DEFICIT))
                .with("breaks", new Truth(0.3 * DEFICIT, PEAK, 0.01, 0.08))
                .with("lower", new Truth(0.3 * DEFICIT, 0.95 * PEAK, 0, 0.08))
                .with("lucky", new Truth(DEFICIT, PEAK, 0, 0.4));
    }

    /** Returns what a search came to, for the message of a test that fails. */
    static String told(Tuning tuning) {
        List<String> lines = new ArrayList<>(List.of(tuning.why()));
        tuning.tried()
                .forEach(one -> lines.add(one.candidate().name() + " " + one.runs() + " "
                        + one.gain().orElse(0.0) + " " + one.words()));
        return String.join("\n", lines);
    }

    /** With more CPU until its compilers were quiet. */
    Simulated boosted(String name, Truth truth, double cpus, double endSeconds) {
        truths.put(name, truth);
        boosts.put(name, endSeconds);
        Candidate plain = candidate(name);
        Change boost = Change.with(new Modifier.BoostedStart(cpus, 1, Optional.empty()));
        candidates.add(new Candidate(
                Changes.of(plain.variant(), name, boost), Optional.of(boost), plain.causes(), plain.cost(), List.of()));
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
                .forEach(name -> measured.put(
                        name,
                        SimulatedRuns.configuration(
                                name,
                                truth(name).peak(),
                                runs.getOrDefault(name, List.of()),
                                goal,
                                Optional.ofNullable(boosts.get(name)),
                                Optional.ofNullable(bounds.get(name)))));
        Map<String, String> failed = new LinkedHashMap<>();
        untried.forEach(name -> failed.put(name, "its cache could not be made"));
        names.forEach(name -> failure(name).ifPresent(why -> failed.put(name, why)));
        return new Results(measured, failed, untried, Map.of());
    }

    private Truth truth(String name) {
        return Optional.ofNullable(truths.get(name)).orElseThrow();
    }

    private Optional<String> failure(String name) {
        return truth(name).failing() > 0
                ? Optional.of("1 % of its requests failed")
                : unread.contains(name) ? Optional.of(NO_EFFECT) : Optional.empty();
    }

    private Run draw(String name, double drift) {
        Truth truth = truth(name);
        return new Run(
                truth.deficit() * drift * Math.exp(truth.noise() * random.nextGaussian()),
                truth.peak() * Math.exp(0.01 * random.nextGaussian()),
                slower.getOrDefault(name, 1.0) * P99 * Math.exp(0.2 * random.nextGaussian()));
    }

    @Override
    public boolean affords(String stage, List<Candidate> some, int blocks, int reserve) {
        return (blocks - asked.getOrDefault(stage, 0)) * (1 + some.size()) + reserve + shortRuns / 3.0 <= runsLeft;
    }

    /** Throughput comes to its peak exponentially, so that the deficit of the truth is lost in a long load. */
    private double[] seconds(String name) {
        Truth truth = truth(name);
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
            failure(one.name())
                    .ifPresentOrElse(
                            why -> failed.put(one.name(), why),
                            () -> served.put(one.name(), screening.look(base, run, Screening.SECONDS)));
        }
        return new Screens(served, new Results(Map.of(), failed));
    }

    @Override
    public boolean affordsScreens(String stage, List<Candidate> some, int reserve) {
        long missing =
                some.stream().filter(one -> !screened.containsKey(one.name())).count();
        return missing / 3.0 + shortRuns / 3.0 + reserve <= runsLeft;
    }

    @Override
    public BudgetPlan fitting(BudgetPlan planned) {
        return planned.fitting((screens, runs) -> (screens + shortRuns) / 3.0 + runs <= runsLeft);
    }

    @Override
    public FoundCandidates candidates(Goal by) {
        return new FoundCandidates(candidates, leftOut, without, uncured);
    }

    @Override
    public Candidate boosted(Candidate candidate, Modifier.BoostedStart boost) {
        Candidate other = Candidates.boosted(candidate, boost);
        truths.put(other.name(), truth(candidate.name()));
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

    Map<String, Seen> now() {
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
        Truth one = truth(a.name());
        Truth other = truth(b.name());
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

    static Candidate candidate(String name) {
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
