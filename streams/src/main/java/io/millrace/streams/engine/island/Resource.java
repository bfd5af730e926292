package io.millrace.streams.engine.island;

import org.jspecify.annotations.Nullable;

/** Something a stage holds until it stops: a link in its stage's list, so that letting go of one is O(1). */
public abstract class Resource {
    @Nullable
    ResourceList list;

    @Nullable
    Resource previousResource;

    @Nullable
    Resource nextResource;

    /** Leaves the stage's list without being released; called in the stage's island, any number of times. */
    public final void detach() {
        if (list != null) {
            list.remove(this);
        }
    }

    /** Lets go of it because the stage has stopped, with the stage's failure if it has failed. */
    abstract void release(@Nullable Throwable failure);

    /** Tells whoever waits for it that the stream ended without its stage, which is stuck; called by another thread. */
    void abandon(Throwable cause) {}

    /** Runs an action when the stage stops. */
    static final class Action extends Resource {
        private final Runnable action;

        Action(Runnable action) {
            this.action = action;
        }

        @Override
        void release(@Nullable Throwable failure) {
            action.run();
        }
    }
}
