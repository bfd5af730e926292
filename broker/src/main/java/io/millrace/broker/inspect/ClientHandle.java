package io.millrace.broker.inspect;

import java.util.Map;

/**
 * Whose a producer or a consumer is.
 *
 * @param address where the client is, for people to read; empty if it is in this process
 * @param version what the client says that it is
 * @param openedMillis when it was opened, in milliseconds since the epoch
 * @param metadata what the client says of it
 */
public record ClientHandle(long id, String address, String version, long openedMillis, Map<String, String> metadata) {
    /** Of this process. */
    public static final ClientHandle IN_PROCESS = new ClientHandle(0, "", "", 0, Map.of());

    public ClientHandle {
        metadata = Map.copyOf(metadata);
    }
}
