package io.millrace.streams;

/** Flows that let everything through until somebody outside ends the stream there. */
public final class KillSwitches {
    private KillSwitches() {}

    /** A flow that gives back a switch of its own for each run. */
    public static <T> Flow<T, T, UniqueKillSwitch> single() {
        return Flow.fromGraph(new KillSwitchStage<T>());
    }

    /** One switch for any number of streams; the name is for messages. */
    public static SharedKillSwitch shared(String name) {
        return new SharedKillSwitch(name);
    }
}
