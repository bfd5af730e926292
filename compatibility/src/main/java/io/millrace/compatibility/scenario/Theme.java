package io.millrace.compatibility.scenario;

import java.util.List;
import java.util.function.Consumer;

/**
 * Scenarios that belong together: one class, one file of transcripts, one row of the page.
 *
 * @param name the name of its file, and what its scenarios' names begin with: lower case letters, digits and hyphens
 * @param shows what its scenarios show, as words for a row of a table
 * @param client which client they use
 * @param declared what adds its scenarios, in the order of the transcripts
 */
public record Theme(String name, String shows, String client, Consumer<Scenarios> declared) {
    /** Its scenarios, in its order. */
    public List<Scenario> scenarios() {
        Scenarios scenarios = new Scenarios(name);
        declared.accept(scenarios);
        return scenarios.all();
    }
}
