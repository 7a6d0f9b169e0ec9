import dev.kiln.explain.study.Precision;
import dev.kiln.stats.Student;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.apache.commons.statistics.distribution.FDistribution;

// Simulates an adaptive experiment that borrows the variance of runs from earlier sessions of the same configuration:
// how often its interval then holds the truth, and how many blocks it takes. RESULTS.md has what it printed.

static final int EXPERIMENTS = 20_000;
static final int MOST = 20;
static final double WIDTH = Math.log(1.05);
static final double ALPHA = Precision.SHARE_OF_ALPHA * 0.05;
static final double[] NOISES = {0.02, 0.03, 0.036, 0.045, 0.06, 0.1};
static final double[] QUIETER = {1 / 1.5, 1, 1.25, 1.5, 2, 3};

/**
 * A Rule says when the earlier variance counts.
 *
 * @param first blocks after which the width is looked at
 * @param level below which p of F refuses to pool: 0 pools always, 1 never
 * @param allowance by which the earlier variance is multiplied
 */
record Rule(String name, int first, double level, double allowance) {}

static final List<Rule> RULES = List.of(
        new Rule("own runs alone, as now", 5, 1, 1),
        new Rule("pooled, no check", 5, 0, 1),
        new Rule("pooled, F at 5 %", 5, 0.05, 1),
        new Rule("pooled, F at 20 %", 5, 0.2, 1),
        new Rule("pooled, F at 50 %", 5, 0.5, 1),
        new Rule("pooled, F at 20 %, from 3 blocks", 3, 0.2, 1),
        new Rule("pooled, earlier sd x 1.5", 5, 0, 2.25));

/** A Tally counts experiments that held the truth, and their blocks. */
record Tally(int held, long blocks) {}

void main() {
    for (int earlier : new int[] {9, 36}) {
        IO.println("\n" + (earlier == 9 ? "12 earlier runs in 3 sessions" : "40 earlier runs in 4 sessions")
                + ", by how many times they were quieter: least coverage, %, and mean blocks\n");
        StringBuilder head = new StringBuilder(" ".repeat(34));
        for (double quieter : QUIETER) {
            head.append(String.format(Locale.ROOT, "%13.2f", quieter));
        }
        IO.println(head);
        for (Rule rule : RULES) {
            StringBuilder row = new StringBuilder(String.format(Locale.ROOT, "%-34s", rule.name()));
            for (double quieter : QUIETER) {
                double least = 1;
                double blocks = 0;
                for (double noise : NOISES) {
                    Tally tally = tally(rule, earlier, noise, quieter);
                    least = Math.min(least, tally.held() / (double) EXPERIMENTS);
                    blocks += tally.blocks() / (double) EXPERIMENTS / NOISES.length;
                }
                row.append(String.format(Locale.ROOT, "%7.1f %5.1f", 100 * least, blocks));
            }
            IO.println(row);
        }
    }
}

/** Runs experiments whose true log ratio is 0; earlier sessions were quieter by this factor. */
static Tally tally(Rule rule, int earlier, double noise, double quieter) {
    Limits limits = Limits.of(rule, earlier);
    SplittableRandom random = new SplittableRandom(17);
    int held = 0;
    long blocks = 0;
    for (int e = 0; e < EXPERIMENTS; e++) {
        double before = 0;
        for (int i = 0; i < earlier; i++) {
            before += square(noise / quieter * random.nextGaussian()) / earlier;
        }
        double sum = 0;
        double squares = 0;
        double[] runs = new double[MOST];
        for (int i = 0; i < MOST; i++) {
            runs[i] = noise * random.nextGaussian();
        }
        for (int n = 1; n <= MOST; n++) {
            sum += runs[n - 1];
            squares += square(runs[n - 1]);
            if (n < rule.first()) {
                continue;
            }
            double own = (squares - sum * sum / n) / (n - 1);
            double reach = limits.reach(n, own, before) / Math.sqrt(n);
            if (2 * reach <= WIDTH || n == MOST) {
                held += Math.abs(sum / n) <= reach ? 1 : 0;
                blocks += n;
                break;
            }
        }
    }
    return new Tally(held, blocks);
}

static double square(double x) {
    return x * x;
}

/** Limits are the quantiles of t and F after each number of blocks. */
record Limits(Rule rule, int earlier, double[] own, double[] pooled, double[] low, double[] high) {
    static Limits of(Rule rule, int earlier) {
        double[] own = new double[MOST + 1];
        double[] pooled = new double[MOST + 1];
        double[] low = new double[MOST + 1];
        double[] high = new double[MOST + 1];
        for (int n = 2; n <= MOST; n++) {
            own[n] = Student.quantile(1 - ALPHA / 2, n - 1);
            pooled[n] = Student.quantile(1 - ALPHA / 2, n - 1 + earlier);
            FDistribution f = FDistribution.of(n - 1, earlier);
            low[n] = f.inverseCumulativeProbability(rule.level() / 2);
            high[n] = f.inverseCumulativeProbability(1 - rule.level() / 2);
        }
        return new Limits(rule, earlier, own, pooled, low, high);
    }

    /** Returns half the width of the interval of one run, from the variance of the runs so far and the earlier one. */
    double reach(int n, double variance, double before) {
        double ratio = variance / before;
        boolean refused = rule.level() == 1 || ratio < low[n] || ratio > high[n];
        return refused
                ? own[n] * Math.sqrt(variance)
                : pooled[n]
                        * Math.sqrt((earlier * rule.allowance() * before + (n - 1) * variance) / (earlier + n - 1));
    }
}
