package io.millrace.compatibility.scenario;

/**
 * A client program with a name, which is unique in the catalogue.
 *
 * @param name {@code theme.what-it-shows}: lower case letters, digits, hyphens, and dots; methods of clients as they are written there
 */
public record Scenario(String name, Program program) {
    public Scenario {
        if (!name.matches("[a-z0-9-]+(\\.[A-Za-z0-9-]+)+")) {
            throw new IllegalArgumentException(
                    "a scenario's name is theme.what-it-shows, but this one is '" + name + "'");
        }
    }
}
