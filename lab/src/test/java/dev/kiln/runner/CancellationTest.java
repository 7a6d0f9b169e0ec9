package dev.kiln.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.runner.Cancellation.Interrupted;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class CancellationTest {
    private final Cancellation cancellation = new Cancellation();
    private final List<String> happened = Collections.synchronizedList(new ArrayList<>());

    private CompletableFuture<Void> cancelElsewhere() {
        return CompletableFuture.runAsync(() -> {
            cancellation.cancel();
            happened.add("returned");
        });
    }

    private void awaitCancelled() throws InterruptedException {
        while (!cancellation.isCancelled()) {
            Thread.sleep(1);
        }
    }

    @Test
    void cutsWhatGoesOnAndWaitsForTheEnd() throws Exception {
        CompletableFuture<Void> cut = new CompletableFuture<>();
        cancellation.onCancel(() -> happened.add("replaced"));
        cancellation.onCancel(() -> cut.complete(null));

        CompletableFuture<Void> cancel = cancelElsewhere();
        cut.get(1, TimeUnit.MINUTES);
        happened.add("finished");
        cancellation.finished();
        cancel.get(1, TimeUnit.MINUTES);

        assertThat(happened).containsExactly("finished", "returned");
        assertThatThrownBy(cancellation::check).isInstanceOf(Interrupted.class);
    }

    @Test
    void whatBeginsAfterwardsIsCutAtOnce() throws Exception {
        CompletableFuture<Void> cancel = cancelElsewhere();
        awaitCancelled();
        cancellation.onCancel(() -> happened.add("cut"));

        assertThat(happened).contains("cut");
        cancellation.finished();
        cancel.get(1, TimeUnit.MINUTES);
    }

    /** Such as the end of a load driver that has just died. */
    @Test
    void aCutThatFailsIsNoReasonNotToWait() throws Exception {
        CompletableFuture<Void> cut = new CompletableFuture<>();
        cancellation.onCancel(() -> {
            cut.complete(null);
            throw new IllegalStateException("it is over already");
        });

        CompletableFuture<Void> cancel = cancelElsewhere();
        cut.get(1, TimeUnit.MINUTES);
        happened.add("finished");
        cancellation.finished();
        cancel.get(1, TimeUnit.MINUTES);

        assertThat(happened).containsExactly("finished", "returned");
    }
}
