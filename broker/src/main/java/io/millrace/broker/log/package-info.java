/** Ledgers, cursors, recovery: one journal for every topic, ledger files behind it. */
@NullMarked
package io.millrace.broker.log;

import org.jspecify.annotations.NullMarked;
