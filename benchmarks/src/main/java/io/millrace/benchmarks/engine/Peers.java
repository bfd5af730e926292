package io.millrace.benchmarks.engine;

import io.millrace.benchmarks.hub.PekkoSystem;
import io.millrace.streams.StreamRuntime;
import org.apache.pekko.actor.ActorSystem;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** The runtimes that a measured JVM needs: ours and Pekko's. */
@State(Scope.Benchmark)
public class Peers {
    StreamRuntime runtime = StreamRuntime.create();
    ActorSystem system = PekkoSystem.start();

    @Setup
    public void start() {
        runtime.snapshot();
    }

    /** Ours. */
    public StreamRuntime runtime() {
        return runtime;
    }

    /** Pekko's. */
    public ActorSystem system() {
        return system;
    }

    @TearDown
    public void stop() {
        runtime.close();
        PekkoSystem.stop(system);
    }
}
