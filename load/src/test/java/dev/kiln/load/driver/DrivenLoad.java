package dev.kiln.load.driver;

import dev.kiln.load.driver.http.IoThread.Transport;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A DrivenLoad is what tests of a load share: a driver, a folder for its evidence, and what the server has seen. */
@Timeout(value = 600, unit = TimeUnit.SECONDS)
abstract class DrivenLoad {
    @TempDir
    Path run;

    final LocalDriver driver = new LocalDriver(Transport.pick());
    final Queue<String> seen = new ConcurrentLinkedQueue<>();

    @AfterEach
    void stop() throws InterruptedException {
        driver.close();
    }
}
