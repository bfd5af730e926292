/**
 * The stages of hubs, of shared and of cached sources, and what the stages of one hub share; not for users.
 *
 * <p>A hub is one stage that owns it and stages of its consumers or producers, each in a stream of its own. They meet in
 * the state of the hub: whoever has news puts itself on a stack ({@code HubArrivals}) and wakes the hub; the hub takes the
 * whole stack.
 *
 * <pre>
 *   upstream -> BroadcastHubStage -> HubRing -> BroadcastHubSource -> downstream     each consumer reads the ring itself
 *                       ^   HubWheel (who is where)      |
 *                       +------ HubArrivals -------------+                           news: joins, leaves, moved on
 * </pre>
 *
 * <p>To read: {@code BroadcastHubState}, {@code HubRing}, {@code HubConsumer}, {@code HubCore} with {@code HubWheel},
 * {@code HubWaking}, then the two stages. The merge hub ({@code HubProducer}) and the partition hub
 * ({@code PartitionConsumer}) are smaller and of the same kind. {@code SharedSession} is a broadcast hub whose upstream
 * begins later.
 */
@NullMarked
package io.millrace.streams.hub.stage;

import org.jspecify.annotations.NullMarked;
