/**
 * Pulsar's admin API over HTTP, version 2, as far as this broker has what it is about. A class for each theme names its paths
 * and turns what Pulsar's tools send into verbs of {@link io.millrace.broker.namespace.Namespaces}, and what comes back into
 * the JSON of Pulsar's own classes. Nothing here knows more than one request, and nothing waits: every answer is a future.
 *
 * <p>Read {@link io.millrace.broker.admin.AdminApi} first, which lists the themes.
 */
@NullMarked
package io.millrace.broker.admin;

import org.jspecify.annotations.NullMarked;
