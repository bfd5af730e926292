package io.millrace.benchmarks.hub;

import com.typesafe.config.ConfigFactory;
import org.apache.pekko.actor.ActorSystem;

/** A quiet actor system with the default dispatcher. */
public final class PekkoSystem {
    private PekkoSystem() {}

    public static ActorSystem start() {
        return ActorSystem.create(
                "bench",
                ConfigFactory.parseString("pekko.loglevel = OFF, pekko.stdout-loglevel = OFF")
                        .withFallback(ConfigFactory.load(ActorSystem.class.getClassLoader())));
    }

    public static void stop(ActorSystem system) {
        system.terminate();
        system.getWhenTerminated().toCompletableFuture().join();
    }
}
