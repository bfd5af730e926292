/**
 * Dispatchers: one stage per subscription, the single owner of its consumers, permits, pending acknowledgements and
 * redeliveries.
 *
 * <pre>
 *   sessions, streams in this process           the tail of the topic      the log, on workers
 *        |  Flow, Ack, Redeliver, Attach ...          | positions               | entries
 *        v                                            v                         v
 *   DispatcherStage ---- turn ----&gt; Deliveries &lt;---- TailSubscription, ForwardReader, RedeliveryReader
 *        |                             |  Selector: Exclusive, Failover, Shared, KeySharedDispatch
 *        |                             v
 *        |                          Consumer: its permits, its link to the session
 *        v
 *   Acknowledgements --&gt; PendingAcks &lt;- PositionMap &lt;- LedgerBlocks &lt;- BlockPage &lt;- EntryBlock
 *        |               what consumers hold, by ledger, page of 64 blocks, block of 64 ids (ADR 7)
 *        v
 *   CursorWriter --&gt; the cursor's log: receipts once that is durable
 * </pre>
 *
 * <p>A topic that stores nothing has {@code LiveDispatcherStage} in the place of {@code DispatcherStage}, and gets the same commands. Read {@code DispatcherCommand},
 * {@code DispatcherStage}, {@code SubscriptionDispatcher}, {@code Deliveries}; then the part in question.
 */
@NullMarked
package io.millrace.broker.dispatch;

import org.jspecify.annotations.NullMarked;
