package io.millrace.compatibility.scenario;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The scenarios of one theme, as it declares them. */
public final class Scenarios {
    private final Map<String, Scenario> byName = new LinkedHashMap<>();
    private final String theme;

    Scenarios(String theme) {
        this.theme = theme;
    }

    List<Scenario> all() {
        return List.copyOf(byName.values());
    }

    /**
     * Adds a program under the theme's name and this one.
     *
     * @throws IllegalArgumentException if there is one of that name
     */
    public Scenarios add(String name, Program program) {
        Scenario scenario = new Scenario(theme + "." + name, program);
        if (byName.putIfAbsent(scenario.name(), scenario) != null) {
            throw new IllegalArgumentException("there are two scenarios named " + scenario.name());
        }
        return this;
    }
}
