package io.millrace.broker.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.Behaviour;
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
    private PowerLossLives lives = PowerLossLives.NONE;

    @BeforeAll
    void recordTheWorkload() throws Exception {
        lives = PowerLossLives.of(seed);
        System.out.println("PowerLossTest: seed " + seed + ", " + lives.changes() + " changes of the disk");
    }

    @Test
    @Behaviour({"LOG-6", "LOG-1", "LOG-4"})
    void everythingReceiptedIsThereAfterAPowerLossAtAnyPoint() {
        for (int changes = 0; changes <= lives.changes(); changes++) {
            assertThat(lives.wrongAfterPowerLoss(changes, seed + changes, null))
                    .as("power lost after %d of %d changes, seed %d", changes, lives.changes(), seed)
                    .isEmpty();
        }
    }

    @Test
    @Behaviour("LOG-6")
    void whatRecoveryShowedIsThereAfterAPowerLossRightBehindIt() {
        for (int changes = 0; changes <= lives.changes(); changes += REOPEN_STEP) {
            assertThat(lives.wrongAfterKillAndPowerLoss(changes, seed + changes, null, false))
                    .as("killed after %d of %d changes, seed %d", changes, lives.changes(), seed)
                    .isEmpty();
        }
    }

    @Test
    @Behaviour("LOG-6")
    void whatWasPublishedAfterARecoveryIsThereAfterThePowerLossThatFollows() {
        for (int changes = 0; changes <= lives.changes(); changes += REOPEN_STEP) {
            assertThat(lives.wrongAfterKillAndPowerLoss(changes, seed + changes, null, true))
                    .as("killed after %d of %d changes, seed %d", changes, lives.changes(), seed)
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
            for (int changes = start; changes <= lives.changes() && !noticed; changes += 11) {
                long cutSeed = seed + attempt * 1_000_003L + changes;
                noticed = ignored == ForcePoint.JOURNAL_RECOVERED
                        ? !lives.wrongAfterKillAndPowerLoss(changes, cutSeed, ignored, false)
                                .isEmpty()
                        : !lives.wrongAfterPowerLoss(changes, cutSeed, ignored).isEmpty();
            }
        }
        assertThat(noticed).as("%s is needed, seed %d", ignored, seed).isTrue();
    }
}
