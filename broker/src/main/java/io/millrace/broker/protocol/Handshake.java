package io.millrace.broker.protocol;

import io.millrace.wire.BaseCommand;
import io.millrace.wire.CommandConnect;
import io.millrace.wire.ServerError;
import java.lang.module.ModuleDescriptor;
import java.util.Optional;

/** CONNECT, which comes first and once. Owned by the event loop. */
final class Handshake {
    private static final String SERVER_VERSION = "Millrace " + version();

    private final Connection connection;
    private String clientVersion = "";
    private boolean done;

    Handshake(Connection connection) {
        this.connection = connection;
    }

    /** On the class path the manifest says it, on the module path the module. */
    private static String version() {
        return Optional.ofNullable(Handshake.class.getPackage().getImplementationVersion())
                .or(() -> Optional.ofNullable(Handshake.class.getModule().getDescriptor())
                        .flatMap(ModuleDescriptor::rawVersion))
                .orElse("development");
    }

    boolean isDone() {
        return done;
    }

    /** What the client says that it is; empty before it has said so. */
    String clientVersion() {
        return clientVersion;
    }

    void connect(CommandConnect command) {
        if (done) {
            refuse("CONNECT came twice");
            return;
        }
        done = true;
        clientVersion = command.getClientVersion();
        connection.named(clientVersion, ProtocolVersion.of(command.getProtocolVersion()));
        BaseCommand reply = connection.replies().command(BaseCommand.Type.CONNECTED);
        // Flags left unset steer clients away from scalable topics.
        reply.setConnected()
                .setServerVersion(SERVER_VERSION)
                .setProtocolVersion(connection.protocol().number())
                .setMaxMessageSize(connection.limits().maxMessageBytes())
                .setFeatureFlags()
                .setSupportsGetPartitionedMetadataWithoutAutoCreation(true)
                .setSupportsTopicWatchers(true)
                .setSupportsTopicWatcherReconcile(true);
        connection.replies().send(reply);
    }

    /** Any other command came first. */
    void refuseEarly(BaseCommand.Type type) {
        refuse(type + " came before CONNECT");
    }

    private void refuse(String text) {
        connection.replies().error(Replies.NO_REQUEST, ServerError.NotAllowedError, text);
        connection.refuse(text);
    }
}
