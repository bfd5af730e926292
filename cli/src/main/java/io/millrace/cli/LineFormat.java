package io.millrace.cli;

import java.io.IOException;
import org.apache.pulsar.client.api.Message;

/** What is printed of a message, as one line. */
interface LineFormat {
    /** The bytes of the message as they are; none of a message without a value. */
    LineFormat BYTES = message -> message.getData() == null ? new byte[0] : message.getData();

    byte[] line(Message<byte[]> message) throws IOException;
}
