/**
 * The Pulsar binary protocol over Netty: frames and commands on one side, sessions of producers and consumers on the
 * other.
 *
 * <p>Everything of a connection is owned by its event loop. Topics and dispatchers answer from their own threads; an
 * answer is passed to the loop, as one task per batch.
 */
@NullMarked
package io.millrace.broker.protocol;

import org.jspecify.annotations.NullMarked;
