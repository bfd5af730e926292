package io.millrace.broker.topic;

import io.millrace.broker.log.Position;
import org.jspecify.annotations.Nullable;

/**
 * What a subscription had left when it was analysed.
 *
 * @param entries that are not acknowledged as a whole
 * @param messages in them, also those of a batch that are acknowledged
 * @param first of the entries; null if there is none
 * @param last of the entries; null if there is none
 * @param isCutShort whether there may be more behind the last, as there were too many to look at them all
 */
public record BacklogFigures(
        long entries,
        long messages,
        @Nullable Position first,
        @Nullable Position last,
        boolean isCutShort) {}
