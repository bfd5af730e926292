package io.millrace.broker.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.log.SimulatedDisk.Change;
import io.millrace.testkit.Behaviour;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class PowerLossTest {
    private static final int MUTANT_SEEDS = 40;
    private static final int REOPEN_STEP = 7;

    private final long seed = Long.getLong("millrace.seed", System.nanoTime());
    private final PowerLossWorkload workload = new PowerLossWorkload(seed);
    private List<Change> trace = List.of();

    @BeforeAll
    void recordTheWorkload() throws Exception {
        trace = workload.run();
        System.out.println("PowerLossTest: seed " + seed + ", " + trace.size() + " changes of the disk");
    }

    @Test
    @Behaviour({"LOG-6", "LOG-1", "LOG-4"})
    void everythingReceiptedIsThereAfterAPowerLossAtAnyPoint() {
        for (int changes = 0; changes <= trace.size(); changes++) {
            assertThat(wrongAfterPowerLoss(changes, seed + changes, null))
                    .as("power lost after %d of %d changes, seed %d", changes, trace.size(), seed)
                    .isEmpty();
        }
    }

    @Test
    @Behaviour("LOG-6")
    void whatRecoveryShowedIsThereAfterAPowerLossRightBehindIt() {
        for (int changes = 0; changes <= trace.size(); changes += REOPEN_STEP) {
            assertThat(wrongAfterKillAndPowerLoss(changes, seed + changes, null, false))
                    .as("killed after %d of %d changes, seed %d", changes, trace.size(), seed)
                    .isEmpty();
        }
    }

    @Test
    @Behaviour("LOG-6")
    void whatWasPublishedAfterARecoveryIsThereAfterThePowerLossThatFollows() {
        for (int changes = 0; changes <= trace.size(); changes += REOPEN_STEP) {
            assertThat(wrongAfterKillAndPowerLoss(changes, seed + changes, null, true))
                    .as("killed after %d of %d changes, seed %d", changes, trace.size(), seed)
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(ForcePoint.class)
    @Behaviour({"LOG-6", "LOG-3"})
    void leavingOutAnyOneForceIsNoticed(ForcePoint ignored) {
        boolean noticed = false;
        for (int attempt = 0; attempt < MUTANT_SEEDS && !noticed; attempt++) {
            int start = Math.floorMod((int) seed + attempt, 11);
            for (int changes = start; changes <= trace.size() && !noticed; changes += 11) {
                long cutSeed = seed + attempt * 1_000_003L + changes;
                noticed = ignored == ForcePoint.JOURNAL_RECOVERED
                        ? !wrongAfterKillAndPowerLoss(changes, cutSeed, ignored, false)
                                .isEmpty()
                        : !wrongAfterPowerLoss(changes, cutSeed, ignored).isEmpty();
            }
        }
        assertThat(noticed).as("%s is needed, seed %d", ignored, seed).isTrue();
    }

    private List<String> wrongAfterPowerLoss(int changes, long cutSeed, ForcePoint ignored) {
        SimulatedDisk left = SimulatedDisk.afterPowerLoss(trace, changes, cutSeed, ignored);
        try (BrokerLog log = BrokerLog.open(PowerLossWorkload.CONFIG, left)) {
            return workload.judge(log, changes);
        } catch (IOException | RuntimeException | AssertionError e) {
            return List.of("it does not open: " + e);
        }
    }

    private List<String> wrongAfterKillAndPowerLoss(int changes, long cutSeed, ForcePoint ignored, boolean goOn) {
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
