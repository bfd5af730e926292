package io.millrace.compatibility;

import io.millrace.compatibility.compare.Recordings;
import io.millrace.compatibility.scenario.Run;
import io.millrace.compatibility.scenario.Scenario;
import io.millrace.compatibility.scenario.Theme;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Transcripts of several scenarios: lines by key, by scenario. */
final class Told {
    private Told() {}

    /** Runs scenarios and returns what they told. */
    static Map<String, Map<String, String>> by(Run run, List<Scenario> scenarios) throws Exception {
        Map<String, Map<String, String>> told = new LinkedHashMap<>();
        run.all(scenarios).forEach((name, transcript) -> told.put(name, transcript.lines()));
        return told;
    }

    /** What is recorded of all themes. */
    static Map<String, Map<String, String>> recorded(Recordings recordings) throws IOException {
        Map<String, Map<String, String>> told = new LinkedHashMap<>();
        for (Theme theme : Catalogue.themes()) {
            told.putAll(recordings.read(theme.name()));
        }
        return told;
    }

    /** Those of the scenarios whose name is wanted. */
    static Map<String, Map<String, String>> only(Map<String, Map<String, String>> told, Predicate<String> wanted) {
        Map<String, Map<String, String>> some = new LinkedHashMap<>(told);
        some.keySet().removeIf(wanted.negate());
        return some;
    }

    /** Writes those that were told into the files of their themes; scenarios that did not run keep what their file has. */
    static void record(Recordings recordings, Map<String, Map<String, String>> told) throws IOException {
        for (Theme theme : Catalogue.themes()) {
            Map<String, Map<String, String>> before = recordings.read(theme.name());
            Map<String, Map<String, String>> after = new LinkedHashMap<>();
            for (Scenario scenario : theme.scenarios()) {
                Map<String, String> lines = told.getOrDefault(scenario.name(), before.get(scenario.name()));
                if (lines != null) {
                    after.put(scenario.name(), lines);
                }
            }
            recordings.write(theme.name(), after);
        }
    }
}
