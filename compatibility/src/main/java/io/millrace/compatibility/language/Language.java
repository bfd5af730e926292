package io.millrace.compatibility.language;

import java.nio.file.Path;
import java.util.List;

/** A language other than Java whose clients have scenarios. */
public enum Language {
    PYTHON("python", "Python") {
        @Override
        List<String> command(Path module) {
            return List.of(
                    module.resolve("target/python/bin/python").toString(),
                    "-B",
                    module.resolve("clients/python/scenarios.py").toString());
        }
    },
    GO("go", "Go, pulsaradmin") {
        @Override
        List<String> command(Path module) {
            return List.of(module.resolve("target/go-scenarios").toString());
        }
    };

    private final String prefix;

    private final String client;

    Language(String prefix, String client) {
        this.prefix = prefix;
        this.client = client;
    }

    /** Its client, as words for a row of a table. */
    public String client() {
        return client;
    }

    /** What the names of its themes begin with, as {@code python} of {@code python-producers}. */
    public String prefix() {
        return prefix;
    }

    /** What starts its program, without arguments. */
    abstract List<String> command(Path module);
}
