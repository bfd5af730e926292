package io.millrace.cli.schema;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Where the versions of a topic's schema come from. */
public interface SchemaVersions {
    /**
     * Fetches that version; null if there is none.
     *
     * @throws IOException if what is told of it makes no sense
     * @throws io.millrace.cli.exit.CommandFailure if nobody can tell now
     */
    @Nullable
    MessageSchema fetch(long version) throws IOException;
}
