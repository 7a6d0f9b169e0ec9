package dev.kiln.runner;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RunFailureTest {
    /** The target's own log has them: what is printed goes to the log of a job, which others read. */
    @Test
    void whatIsToldOfARunHasNoSecrets() {
        assertThat(RunFailure.with(
                        "the last attempt: http://localhost:8080/ready?token=hunter2 answered 503",
                        "connecting to postgres://app:hunter2@db/shop\nAuthorization: Bearer hunter2hunter2"))
                .isEqualTo("the last attempt: http://localhost:8080/ready?token=*** answered 503\n"
                        + "  connecting to postgres://app:***@db/shop\n  Authorization: Bearer ***");
    }
}
