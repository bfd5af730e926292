package io.millrace.streams.inspect;

import io.millrace.streams.inspect.StallReport.Culprit;
import io.millrace.streams.inspect.StallReport.Reason;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Finds who holds up a stream that stands still: follows who waits for whom to the stages that wait for nobody, or to a
 * circle.
 */
final class StallAnalysis {
    private final Map<Integer, String> names = new TreeMap<>();
    private final Map<Integer, Set<Integer>> waitsFor = new LinkedHashMap<>();
    private final Map<Integer, Reason> awaited = new LinkedHashMap<>();

    private StallAnalysis(StreamSnapshot stream) {
        stream.islands().stream()
                .flatMap(island -> island.stages().stream())
                .filter(stage -> !stage.isBoundary())
                .forEach(stage -> names.put(stage.index(), stage.name()));
        stream.edgesOfStages().forEach(edge -> {
            switch (edge.state()) {
                case WAITING_FOR_ELEMENT -> waits(edge.toStage(), edge.fromStage(), Reason.SENDS_NOTHING);
                case WAITING_FOR_DEMAND -> waits(edge.fromStage(), edge.toStage(), Reason.ASKS_FOR_NOTHING);
                case IN_FLIGHT, CLOSED -> {}
            }
        });
    }

    /** Who holds up this stream, which looks now as it did a while ago. */
    static List<Culprit> culprits(StreamSnapshot stream) {
        List<Culprit> running = new ArrayList<>();
        for (IslandSnapshot island : stream.islands()) {
            if (island.state().equals("running")) {
                island.stages().stream()
                        .filter(stage -> stage.index() == island.activeStage())
                        .map(stage -> new Culprit(stage.index(), stage.name(), Reason.RUNS))
                        .forEach(running::add);
            }
        }
        return running.isEmpty() ? new StallAnalysis(stream).waitedFor() : running;
    }

    private void waits(int waiting, int waitedFor, Reason reason) {
        waitsFor.computeIfAbsent(waiting, stage -> new LinkedHashSet<>()).add(waitedFor);
        awaited.putIfAbsent(waitedFor, reason);
    }

    private List<Culprit> waitedFor() {
        List<Culprit> ends = new ArrayList<>();
        awaited.forEach((stage, reason) -> {
            if (!waitsFor.containsKey(stage)) {
                ends.add(culprit(stage, reason));
            }
        });
        return ends.isEmpty() ? circle() : ends;
    }

    /** Every stage waits for another: following one leads into a circle. */
    private List<Culprit> circle() {
        List<Integer> path = new ArrayList<>();
        Set<Integer> next = waitsFor.keySet();
        while (!next.isEmpty()) {
            int stage = next.iterator().next();
            int before = path.indexOf(stage);
            if (before >= 0) {
                return path.subList(before, path.size()).stream()
                        .map(member -> culprit(member, Reason.WAITS_IN_A_CIRCLE))
                        .toList();
            }
            path.add(stage);
            next = waitsFor.getOrDefault(stage, Set.of());
        }
        return List.of();
    }

    private Culprit culprit(int stage, Reason reason) {
        return new Culprit(stage, names.getOrDefault(stage, "stopped stage"), reason);
    }
}
