package io.millrace.streams.engine;

import org.jspecify.annotations.Nullable;

/**
 * What one stage holds until it stops; belongs to the stage's island. A stage is its own list, and the signal of the
 * boundaries at which it stands, to save objects.
 */
abstract sealed class ResourceList extends Signal permits StageCell {
    private @Nullable Resource first;

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

    /** Opens the channels, the oldest first, so that what was sent earlier is likely to be handled earlier. */
    final void openChannels(Island island, StageCell stage) {
        Resource at = first;
        while (at != null && at.nextResource != null) {
            at = at.nextResource;
        }
        while (at != null) {
            if (at instanceof Channel<?>.Held held) {
                held.channel().open(island, stage);
            }
            at = at.previousResource;
        }
    }

    /** Lets go of everything, the youngest first; what is added meanwhile goes too. */
    final void releaseAll(@Nullable Throwable failure) {
        Resource youngest = first;
        while (youngest != null) {
            remove(youngest);
            youngest.release(failure);
            youngest = first;
        }
    }
}
