package io.millrace.broker.protocol;

import io.millrace.broker.dispatch.BrokerException;
import io.millrace.broker.namespace.Schemas;
import io.millrace.broker.schema.SchemaContent;
import io.millrace.broker.schema.SchemaType;
import io.millrace.broker.schema.StoredSchema;
import io.millrace.broker.topic.TopicName;
import io.millrace.wire.BaseCommand;
import io.millrace.wire.CommandGetOrCreateSchema;
import io.millrace.wire.CommandGetSchema;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * GET_SCHEMA and GET_OR_CREATE_SCHEMA. Schemas may be long: a connection gets one after the other, each once it has taken
 * what was written before. Owned by the event loop.
 */
final class SchemaCommands {
    /** What the Go client asks for by the empty version of messages that were published as bytes. */
    private static final StoredSchema BYTES =
            new StoredSchema(StoredSchema.NO_VERSION, 0, new SchemaContent(SchemaType.NONE, new byte[0], Map.of()));

    private final Connection connection;
    private final Schemas schemas;
    private final Queue<Wanted> waiting = new ArrayDeque<>(0);
    private boolean isReading;

    SchemaCommands(Connection connection, Schemas schemas) {
        this.connection = connection;
        this.schemas = schemas;
    }

    /** What a client asks for: the latest if there is no version. */
    private record Wanted(
            long requestId, TopicName topic, @Nullable Long version) {}

    void get(CommandGetSchema command) {
        long requestId = command.getRequestId();
        try {
            TopicName topic = TopicName.parse(command.getTopic());
            if (command.hasSchemaVersion() && command.getSchemaVersion().length == 0) {
                answerFound(requestId, topic, BYTES);
                return;
            }
            Long version = command.hasSchemaVersion() ? WireSchemas.version(command.getSchemaVersion()) : null;
            waiting.add(new Wanted(requestId, topic, version));
            connection.inFlight().requested(1);
            readNext();
        } catch (BrokerException refusal) {
            refuseGet(requestId, refusal);
        }
    }

    private void readNext() {
        Wanted next = isReading || !connection.channel().isWritable() ? null : waiting.poll();
        if (next == null) {
            return;
        }
        isReading = true;
        (next.version == null ? schemas.latest(next.topic) : schemas.version(next.topic, next.version))
                .whenComplete((found, failure) -> connection.execute(() -> {
                    isReading = false;
                    answer(next, found, failure);
                    connection.inFlight().answered(1);
                    readNext();
                }));
    }

    private void answer(Wanted wanted, @Nullable StoredSchema found, @Nullable Throwable failure) {
        if (found == null) {
            refuseGet(
                    wanted.requestId,
                    ErrorCodes.refusal(failure == null ? new IllegalStateException("no schema, no failure") : failure));
            return;
        }
        answerFound(wanted.requestId, wanted.topic, found);
    }

    private void answerFound(long requestId, TopicName topic, StoredSchema found) {
        BaseCommand reply = connection.replies().command(BaseCommand.Type.GET_SCHEMA_RESPONSE);
        reply.setGetSchemaResponse().setRequestId(requestId).setSchemaVersion(WireSchemas.version(found.version()));
        WireSchemas.fill(reply.getGetSchemaResponse().setSchema(), topic, found.content());
        connection.replies().send(reply);
    }

    private void refuseGet(long requestId, BrokerException refusal) {
        BaseCommand reply = connection.replies().command(BaseCommand.Type.GET_SCHEMA_RESPONSE);
        reply.setGetSchemaResponse()
                .setRequestId(requestId)
                .setErrorCode(ErrorCodes.code(refusal.kind()))
                .setErrorMessage(Replies.text(refusal));
        connection.replies().send(reply);
    }

    void findOrAdd(CommandGetOrCreateSchema command) {
        long requestId = command.getRequestId();
        connection.inFlight().requested(1);
        try {
            TopicName topic = TopicName.parse(command.getTopic());
            schemas.findOrAdd(topic, WireSchemas.read(command.getSchema()))
                    .whenComplete(
                            (version, failure) -> connection.execute(() -> answerCreated(requestId, version, failure)));
        } catch (BrokerException refusal) {
            answerCreated(requestId, null, refusal);
        }
    }

    private void answerCreated(long requestId, @Nullable Long version, @Nullable Throwable failure) {
        BaseCommand reply = connection.replies().command(BaseCommand.Type.GET_OR_CREATE_SCHEMA_RESPONSE);
        reply.setGetOrCreateSchemaResponse().setRequestId(requestId);
        if (failure == null && version != null) {
            reply.getGetOrCreateSchemaResponse().setSchemaVersion(WireSchemas.version(version));
        } else if (failure != null) {
            BrokerException refusal = ErrorCodes.refusal(failure);
            reply.getGetOrCreateSchemaResponse()
                    .setErrorCode(ErrorCodes.code(refusal.kind()))
                    .setErrorMessage(Replies.text(refusal));
        }
        connection.replies().send(reply);
        connection.inFlight().answered(1);
    }

    /** The client takes output again. */
    void writable() {
        readNext();
    }

    /** The connection has ended. */
    void connectionLost() {
        waiting.clear();
    }
}
