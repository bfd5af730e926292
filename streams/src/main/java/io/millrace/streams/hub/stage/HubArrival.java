package io.millrace.streams.hub.stage;

import org.jspecify.annotations.Nullable;

/** What can stand in the {@link HubArrivals} of a hub, in one place at a time. */
abstract class HubArrival<N extends HubArrival<N>> {
    /** Who arrived before; written by who pushes, read and cleared by the hub once it has taken all, and followed by {@link HubWaking}, which may get lost on the way. */
    @Nullable
    N nextArrival;
}
