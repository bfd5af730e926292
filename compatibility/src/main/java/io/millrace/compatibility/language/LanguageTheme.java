package io.millrace.compatibility.language;

/**
 * Scenarios that a program of another language has: which, the program says when it runs.
 *
 * @param name the name of its file, and what its scenarios' names begin with
 * @param shows what its scenarios show, as words for a row of a table
 */
public record LanguageTheme(String name, String shows, Language language) {
    /** Whether the name of a scenario is one of its own. */
    public boolean has(String scenario) {
        return scenario.startsWith(name + ".");
    }
}
