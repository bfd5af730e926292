/**
 * HTTP as this broker serves it: one listening port, its limits, who may ask, and which function answers which path. It knows
 * nothing of topics.
 *
 * <pre>
 *   socket --&gt; codec, aggregator --&gt; HttpSession --&gt; KnownHosts --&gt; Routes --&gt; a Handler of another room
 *              sizes                 deadlines       foreign pages  path, method      |
 *                                       ^                                             |
 *                                       '------------ Response, whenever it is done --'
 * </pre>
 */
@NullMarked
package io.millrace.broker.http;

import org.jspecify.annotations.NullMarked;
