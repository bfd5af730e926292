package io.millrace.cli;

import org.apache.pulsar.client.api.Schema;
import org.apache.pulsar.client.api.schema.SchemaInfoProvider;
import org.apache.pulsar.common.schema.SchemaInfo;

/** Bytes as they are, for a consumer that asks for the schemas of its topic: the client hands over what fetches them as it subscribes. */
final class VersionedBytes implements Schema<byte[]> {
    @SuppressWarnings("NullAway.Init") // the client sets it before there is a message
    private volatile SchemaInfoProvider provider;

    SchemaInfoProvider provider() {
        return provider;
    }

    @Override
    public void setSchemaInfoProvider(SchemaInfoProvider given) {
        provider = given;
    }

    @Override
    public boolean supportSchemaVersioning() {
        return true;
    }

    @Override
    public byte[] encode(byte[] message) {
        return message;
    }

    @Override
    public byte[] decode(byte[] bytes) {
        return bytes;
    }

    @Override
    public SchemaInfo getSchemaInfo() {
        return Schema.BYTES.getSchemaInfo();
    }

    /** The consumer's copy: it is this one, which has to hear of the provider. */
    @Override
    public Schema<byte[]> clone() {
        return this;
    }
}
