package io.millrace.compatibility.scenario;

/** What a client does in a scenario. What it throws is written as the scenario's end. */
@FunctionalInterface
public interface Program {
    void run(Context context) throws Exception;
}
