package io.millrace.broker.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.Behaviour;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Very many lives, of workloads that are all different. */
@EnabledIfSystemProperty(named = "millrace.deep", matches = "true")
final class PowerLossCampaignTest {
    private static final int LIVES = Integer.getInteger("millrace.lives", 100_000);

    @Test
    @Behaviour({"LOG-6", "LOG-1", "LOG-13"})
    void nothingReceiptedIsMissingInAnyOfVeryManyLives() throws Exception {
        int lived = 0;
        for (long seed = Long.getLong("millrace.seed", System.nanoTime()); lived < LIVES; seed++) {
            PowerLossLives lives = PowerLossLives.of(seed);
            for (int changes = 0; changes <= lives.changes() && lived < LIVES; changes++, lived++) {
                long cut = seed + changes;
                List<String> wrong = switch (lived % 3) {
                    case 0 -> lives.wrongAfterPowerLoss(changes, cut, null);
                    case 1 -> lives.wrongAfterKillAndPowerLoss(changes, cut, null, false);
                    default -> lives.wrongAfterKillAndPowerLoss(changes, cut, null, true);
                };
                assertThat(wrong)
                        .as("cut after %d changes, seed %d", changes, seed)
                        .isEmpty();
            }
        }
    }
}
