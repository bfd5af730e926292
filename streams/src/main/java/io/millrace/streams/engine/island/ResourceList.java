package io.millrace.streams.engine.island;

import org.jspecify.annotations.Nullable;

/**
 * What one stage holds until it stops, and how far it is; belongs to the stage's island. A stage is its own list, and the signal of the
 * boundaries at which it stands, to save objects.
 */
abstract sealed class ResourceList extends Signal permits StagePorts {
    private static final byte MADE = 0;
    private static final byte STARTED = 1;
    private static final byte STOPPED = 2;

    private @Nullable Resource first;
    private @Nullable Throwable failure;
    private byte phase;

    final void noteStart() {
        if (phase == MADE) {
            phase = STARTED;
        }
    }

    final void noteStop() {
        phase = STOPPED;
    }

    /** Whether it has started, whatever came then. */
    final boolean hasStarted() {
        return phase != MADE;
    }

    /** Whether it has started and not stopped. */
    final boolean isRunning() {
        return phase == STARTED;
    }

    final boolean isStopped() {
        return phase == STOPPED;
    }

    /** The first failure counts. */
    final void noteFailure(Throwable cause) {
        if (failure == null) {
            failure = cause;
        }
    }

    /** What the stage has failed with, if it has. */
    public final @Nullable Throwable failure() {
        return failure;
    }

    /** Holds the resource until the stage stops, or releases it at once when it has stopped. */
    final void hold(Resource resource) {
        if (isStopped()) {
            resource.release(failure);
        } else {
            add(resource);
        }
    }

    final void add(Resource resource) {
        resource.list = this;
        resource.nextResource = first;
        if (first != null) {
            first.previousResource = resource;
        }
        first = resource;
    }

    final void remove(Resource resource) {
        Resource previous = resource.previousResource;
        Resource next = resource.nextResource;
        if (previous == null) {
            first = next;
        } else {
            previous.nextResource = next;
        }
        if (next != null) {
            next.previousResource = previous;
        }
        resource.previousResource = null;
        resource.nextResource = null;
        resource.list = null;
    }

    /** Opens the mailboxes, the oldest first, so that what was sent earlier is likely to be handled earlier. */
    final void openMailboxes(Island island, StageContext stage) {
        Resource at = first;
        while (at != null && at.nextResource != null) {
            at = at.nextResource;
        }
        while (at != null) {
            if (at instanceof Mailbox<?>.Held held) {
                held.mailbox().open(island, stage);
            }
            at = at.previousResource;
        }
    }

    /**
     * Tells whoever waits for something of a stage that is stuck in a call of the user's, by another thread: nobody changes
     * the list meanwhile, and if the stage goes on at this very moment, it lets go of the rest itself.
     */
    final void abandonAll(Throwable cause) {
        for (Resource held = first; held != null; held = held.nextResource) {
            held.abandon(cause);
        }
    }

    /** Lets go of everything, the youngest first; what is added meanwhile goes too. */
    final void releaseAll() {
        Resource youngest = first;
        while (youngest != null) {
            remove(youngest);
            youngest.release(failure);
            youngest = first;
        }
    }
}
