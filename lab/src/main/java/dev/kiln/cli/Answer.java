package dev.kiln.cli;

import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;

/** Where a command's answer goes. */
final class Answer {
    private Answer() {}

    static void put(Console console, Optional<Path> json, Supplier<String> asJson, Supplier<String> asText) {
        if (json.isPresent() && !TextFiles.isStandardOutput(json.get())) {
            TextFiles.write(json.get(), asJson.get());
        } else {
            console.out().print(json.isPresent() ? asJson.get() : asText.get());
        }
        console.out().flush();
    }
}
