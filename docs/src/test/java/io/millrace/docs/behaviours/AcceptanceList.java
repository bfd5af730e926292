package io.millrace.docs.behaviours;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The ids of docs/behaviours.md and the areas that are marked finished; throws if the page contradicts itself. */
record AcceptanceList(Set<String> ids, Set<String> areas, Set<String> finishedAreas) {
    private static final Pattern ID = Pattern.compile("^- \\*\\*([A-Z]+-\\d+)\\*\\* .*");
    private static final Pattern AREA = Pattern.compile("^Area: `([A-Z]+)` (open|finished)$");

    static AcceptanceList parse(String page) {
        Set<String> ids = new LinkedHashSet<>();
        Set<String> areas = new LinkedHashSet<>();
        Set<String> finished = new HashSet<>();
        for (String line : page.lines().toList()) {
            Matcher id = ID.matcher(line);
            if (id.matches()) {
                once(ids.add(id.group(1)), line);
            }
            Matcher area = AREA.matcher(line);
            if (area.matches()) {
                once(areas.add(area.group(1)), line);
                if (area.group(2).equals("finished")) {
                    finished.add(area.group(1));
                }
            } else {
                once(!line.startsWith("Area:"), line);
            }
        }
        ids.forEach(id -> once(areas.contains(areaOf(id)), "no Area line for " + id));
        return new AcceptanceList(ids, areas, finished);
    }

    /** What is wrong between the list and the ids that tests carry. */
    List<String> problems(Set<String> tested) {
        List<String> problems = new ArrayList<>();
        for (String id : ids) {
            if (finishedAreas.contains(areaOf(id)) && !tested.contains(id)) {
                problems.add(id + ": its area is finished, but no test carries it");
            }
        }
        for (String id : new TreeSet<>(tested)) {
            if (!ids.contains(id)) {
                problems.add(id + ": carried by a test, but not in docs/behaviours.md");
            }
        }
        return problems;
    }

    private static String areaOf(String id) {
        return id.substring(0, id.indexOf('-'));
    }

    private static void once(boolean sound, String line) {
        if (!sound) {
            throw new IllegalArgumentException("docs/behaviours.md, malformed or twice: " + line);
        }
    }
}
