package io.millrace.broker.log;

import io.millrace.broker.log.SimulatedDisk.Change;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** One workload on a simulated disk, and every life that may follow when it is cut short. */
record PowerLossLives(PowerLossWorkload workload, List<Change> trace) {
    static final PowerLossLives NONE = new PowerLossLives(new PowerLossWorkload(0), List.of());

    /** Runs the workload of this seed to its end. */
    static PowerLossLives of(long seed) throws Exception {
        PowerLossWorkload workload = new PowerLossWorkload(seed);
        return new PowerLossLives(workload, workload.run());
    }

    int changes() {
        return trace.size();
    }

    /** What is missing after a loss of power behind so many changes of the disk; one kind of force may have done nothing. */
    List<String> wrongAfterPowerLoss(int changes, long cutSeed, ForcePoint ignored) {
        SimulatedDisk left = SimulatedDisk.afterPowerLoss(trace, changes, cutSeed, ignored);
        try (BrokerLog log = BrokerLog.open(PowerLossWorkload.CONFIG, left)) {
            return workload.judge(log, changes);
        } catch (IOException | RuntimeException | AssertionError e) {
            return List.of("it does not open: " + e);
        }
    }

    /** The same after a kill, a recovery that may have gone on to publish, and a loss of power right behind it. */
    List<String> wrongAfterKillAndPowerLoss(int changes, long cutSeed, ForcePoint ignored, boolean goOn) {
        SimulatedDisk killed = SimulatedDisk.upTo(trace, changes);
        Map<String, List<String>> seen;
        List<Change> then;
        try (BrokerLog log = BrokerLog.open(PowerLossWorkload.CONFIG, killed)) {
            if (goOn) {
                PowerLossWorkload.publishMore(log);
            }
            seen = PowerLossWorkload.view(log);
            then = killed.trace();
        } catch (IOException | RuntimeException e) {
            return List.of("it does not open: " + e);
        }
        SimulatedDisk left = SimulatedDisk.afterPowerLoss(then, then.size(), cutSeed, ignored);
        List<String> wrong = new ArrayList<>();
        try (BrokerLog log = BrokerLog.open(PowerLossWorkload.CONFIG, left)) {
            Map<String, List<String>> left2 = PowerLossWorkload.view(log);
            if (!left2.equals(seen)) {
                wrong.add("seen " + seen + " but left " + left2);
            }
        } catch (IOException | RuntimeException e) {
            wrong.add("it does not open: " + e);
        }
        return wrong;
    }
}
