package dev.kiln.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.model.experiment.Claim;
import dev.kiln.model.experiment.Claim.Check;
import dev.kiln.model.experiment.Claim.Figure;
import dev.kiln.model.experiment.Claim.Number;
import dev.kiln.model.experiment.Claim.Op;
import dev.kiln.plan.ClaimBinder.CheckText;
import dev.kiln.plan.text.Problems.BadValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CheckTextTest {
    private static final CheckText CHECKS = new CheckText(List.of("a", "b-2"));
    private static final String REST =
            "target: {command: java Main}\nvariants: {a: {}, b-2: {}}\nload: {url: http://localhost:8080/}\n";

    @TempDir
    private Path dir;

    @Test
    void twoFiguresOrAFigureAndANumber() {
        assertThat(CHECKS.parse("end-of-warmup(a) < 0.7 * peak(b-2)"))
                .isEqualTo(new Check(
                        new Figure(1, "", "end-of-warmup", "a", Optional.empty()),
                        Op.LESS,
                        new Figure(0.7, "0.7", "peak", "b-2", Optional.empty())));
        assertThat(CHECKS.parse(" t90( a )<=60 "))
                .isEqualTo(
                        new Check(new Figure(1, "", "t90", "a", Optional.empty()), Op.AT_MOST, new Number(60, "60")));
    }

    @Test
    void isShownAsItIsRead() {
        for (String text : List.of(
                "end-of-warmup(a) < 0.7 * peak(b-2)",
                "10 >= 2*start(a)".replace("*", " * "),
                "c2-wait(a, measure) > 0.5 * c2-wait(b-2, 0-30s)")) {
            assertThat(CHECKS.parse(text).text()).isEqualTo(text);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "peek(a) > 1 | unknown metric 'peek'; did you mean 'peak'?",
                "peak(c) > 1 | unknown variant 'c'; did you mean 'a'?",
                "peak(a) = 1 | found 'peak(a) = 1', expected two terms and <, <=, > or >= between them, such as 'peak(a) > 1.5 * peak(b)' or 't90(a) <= 60'",
                "peak(a) > 1 > 0 | found 'peak(a) > 1 > 0', expected two terms and <, <=, > or >= between them, such as 'peak(a) > 1.5 * peak(b)' or 't90(a) <= 60'",
                "peak a > 1 | found 'peak a', expected a number, or metric(variant) or metric(variant, part), with a factor before it or none",
                "c2-wait(a, later) > 1 | found 'later', expected a part of a run: start-up, warmup, first-half, second-half, after-pause, measure, or seconds such as 0-30s",
                "c2-wait(a, 30-0s) > 1 | found '30-0s', expected a part of a run: start-up, warmup, first-half, second-half, after-pause, measure, or seconds such as 0-30s",
                "peak(a, measure) > 1 | found peak of a part of a run, expected one of throughput, system-cpu, c2-cpu, c2-wait, c2-queue, compilations, not-entrant, gc-time, gc-cpu, code-growth, c1-frames, inlined-frames, longest-compilation, level3-share, busy-threads, voluntary, involuntary, switch-ratio",
                "1 > 2 | found two numbers in '1 > 2', expected a metric of a variant on one side at least",
                "peak(a) > t90(a) | found peak against t90, expected two metrics of one unit"
            })
    void whatIsWrongIsTold(String text, String message) {
        assertThatThrownBy(() -> CHECKS.parse(text))
                .isInstanceOf(BadValue.class)
                .hasMessage(message);
    }

    @Test
    void claimsOfAFile() throws IOException {
        Path file = Files.writeString(dir.resolve("a.yaml"), REST + """
                claims:
                  - text: One is faster
                    published: 3 against 2
                    check: [peak(a) > peak(b-2), t90(a) < t90(b-2)]
                  - text: Nobody knows
                    notObservable: no means
                """);

        List<Claim> claims = ExperimentFile.read(file).claims();

        assertThat(claims).extracting(Claim::text).containsExactly("One is faster", "Nobody knows");
        assertThat(claims.get(0).checks())
                .extracting(Check::text)
                .containsExactly("peak(a) > peak(b-2)", "t90(a) < t90(b-2)");
        assertThat(claims.get(0).published()).isEqualTo("3 against 2");
        assertThat(claims.get(1).notObservable()).contains("no means");
    }

    @Test
    void claimsThatCannotBeReadAreToldWithTheirLines() throws IOException {
        Path file = Files.writeString(dir.resolve("a.yaml"), REST + """
                claims:
                  - text: One
                  - text: Two
                    check: peak(a) > peak(bb)
                  - check: 5
                    txt: Three
                """);

        assertThatThrownBy(() -> ExperimentFile.read(file))
                .hasMessage(String.join(
                        "\n",
                        file + ":5: claims: found neither check nor notObservable, expected one of them",
                        file + ":7: check: unknown variant 'bb'; did you mean 'b-2'?",
                        file + ":8: claims: found no text, expected a claim with text and check",
                        file + ":9: unknown key 'txt'; did you mean 'text'?"));
    }
}
