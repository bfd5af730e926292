/**
 * Topics: each a stream graph of producers, append, tail and dispatchers, under the one directory that knows them by
 * name.
 */
@NullMarked
package io.millrace.broker.topic;

import org.jspecify.annotations.NullMarked;
