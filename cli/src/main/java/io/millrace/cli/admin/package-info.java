/** Commands that administer a broker over HTTP: each verb is one or two requests of Pulsar's admin API, so they serve a Pulsar cluster, too. */
@NullMarked
package io.millrace.cli.admin;

import org.jspecify.annotations.NullMarked;
