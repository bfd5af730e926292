package io.millrace.broker.dispatch;

import io.millrace.broker.log.CursorLog;
import io.millrace.broker.log.CursorState;
import io.millrace.broker.log.TopicLog;
import io.millrace.broker.memory.MemoryBudget;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * Where a subscription's entries and position are kept.
 *
 * @param cursorLog null if the subscription is not durable
 * @param cursor the live state, which the dispatcher owns from now on
 * @param clock tells when a delayed entry is due, and when consumers did what
 * @param memory what clients may make the broker hold
 */
public record SubscriptionStore(
        TopicLog log, @Nullable CursorLog cursorLog, CursorState cursor, InstantSource clock, MemoryBudget memory) {}
