package io.millrace.broker.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.log.Position;
import io.millrace.testkit.Behaviour;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/**
 * Random clients with every verb, on a broker that is killed, loses power, has a full disk and a clock that jumps, and
 * starts again: nothing promised is missing, nothing comes out of order, nothing acknowledged comes again.
 *
 * <p>{@code -Dmillrace.model.seed=N} begins with the world of that seed, as far as threads allow;
 * {@code -Dmillrace.model.seconds=N} sets how long it goes on.
 */
final class BrokerModelTest {
    private static final long DEEP_SECONDS = 3_600;
    private static final long SECONDS =
            Long.getLong("millrace.model.seconds", Boolean.getBoolean("millrace.deep") ? DEEP_SECONDS : 60);
    private static final int MAX_LIVES = 16;
    private static final int MAX_STEPS = 40;
    private static final int MAX_UNDER_WAY = 12;
    /** Seeds that follow each other would begin with the same decisions. */
    private static final long SEED_SPREAD = 0x9E3779B97F4A7C15L;

    private static final long PATIENCE_SECONDS = 300;

    private final Set<Deed> done = EnumSet.noneOf(Deed.class);
    /** What the broker has logged in this world. */
    private final ByteArrayOutputStream log = new ByteArrayOutputStream();

    @Test
    @Behaviour({"LOG-1", "LOG-6", "ACK-6", "ACK-7", "ACK-9"})
    void nothingPromisedIsLostAndNothingAcknowledgedComesAgain() throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        long seed = Long.getLong("millrace.model.seed", System.nanoTime());
        runWorlds(seed, () -> System.nanoTime() - end < 0);
    }

    @Test
    void everyDeedIsDone() throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        runWorlds(1, () -> done.size() < Deed.values().length && System.nanoTime() - end < 0);
        assertThat(done).containsExactly(Deed.values());
    }

    /** What the brokers log is shown when something is wrong. */
    private void runWorlds(long firstSeed, BooleanSupplier isToGoOn) throws Exception {
        PrintStream console = System.err;
        System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
        try {
            for (long seed = firstSeed; isToGoOn.getAsBoolean(); seed++) {
                log.reset();
                runWorld(seed, isToGoOn);
            }
        } finally {
            System.setErr(console);
        }
    }

    private void runWorld(long seed, BooleanSupplier isToGoOn) throws Exception {
        Random random = new Random(seed * SEED_SPREAD);
        int lives = 1 + random.nextInt(MAX_LIVES);
        World world = new World(1 + random.nextInt(3), 1 + random.nextInt(3));
        try (world) {
            for (int life = 0; life < lives && isToGoOn.getAsBoolean(); life++) {
                world.start();
                live(world, random);
                done.addAll(world.deeds);
            }
        } catch (IOException | RuntimeException | AssertionError e) {
            throw new AssertionError(
                    "What happened last:\n" + world.notes() + "\nThe broker's log:\n"
                            + log.toString(StandardCharsets.UTF_8) + "\nSeed " + seed + " (-Dmillrace.model.seed="
                            + seed + "): " + e,
                    e);
        }
    }

    private static void live(World world, Random random) throws IOException {
        Life life = new Life(world, random);
        int kind = random.nextInt(10);
        if (kind == 0) {
            new StartCheck(life).look();
        } else if (kind == 1) {
            for (TopicModel topic : world.topics) {
                new ReaderCheck(life).read(topic, Position.BEFORE_ALL);
            }
        } else if (kind > 2) {
            new StartCheck(life).run();
            Verbs verbs = new Verbs(life);
            for (int step = random.nextInt(MAX_STEPS); step > 0; step--) {
                step(world, random, verbs);
            }
            if (random.nextInt(3) == 0) {
                world.holdForces();
            }
            for (int step = random.nextInt(MAX_UNDER_WAY); step > 0; step--) {
                verbs.quick();
                world.pump();
            }
        }
        switch (random.nextInt(8)) {
            case 0, 1, 2 -> world.kill();
            case 3 -> world.shutDown();
            default -> world.cutPower(random.nextLong());
        }
    }

    private static void step(World world, Random random, Verbs verbs) throws IOException {
        if (random.nextInt(6) == 0) {
            verbs.settled();
        } else {
            verbs.quick();
        }
        if (random.nextBoolean()) {
            world.pump();
        }
    }
}
