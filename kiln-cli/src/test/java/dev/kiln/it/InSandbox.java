package dev.kiln.it;

import org.junit.jupiter.api.AfterEach;

/** InSandbox is what most tests of whole runs share: a sandbox, which is gone after each test. */
abstract class InSandbox {
    final Sandbox sandbox = new Sandbox();

    @AfterEach
    void leaveNothing() {
        sandbox.close();
    }
}
