package io.millrace.compatibility;

import java.nio.file.Files;
import java.nio.file.Path;

/** The folder of this module, wherever the tests are started. */
final class ModuleFolder {
    private ModuleFolder() {}

    static Path find() {
        Path here = Path.of("").toAbsolutePath();
        return Files.exists(here.resolve("transcripts")) ? here : here.resolve("compatibility");
    }
}
