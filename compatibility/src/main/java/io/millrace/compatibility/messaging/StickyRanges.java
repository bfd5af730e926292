package io.millrace.compatibility.messaging;

import io.millrace.compatibility.scenario.Context;
import io.millrace.compatibility.scenario.Scenarios;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.KeySharedPolicy;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.Range;
import org.apache.pulsar.client.api.SubscriptionType;

/** Key_Shared consumers that claim ranges of key hashes: which key is whose, and what becomes of keys that are nobody's. */
final class StickyRanges {
    private static final int KEYS = 16;
    /** Keys by their hash modulo 65536. */
    private static final String OF_HASH_0 = "k179888";

    private static final String OF_HASH_1 = "k27353";
    private static final String OF_HASH_2 = "k10956";
    private static final String OF_HASH_65535 = "k35981";

    private static final Range LOW = Range.of(0, 32767);
    private static final Range HIGH = Range.of(32768, 65535);

    private StickyRanges() {}

    static void declare(Scenarios scenarios) {
        scenarios
                .add("key-shared.sticky-ranges", context -> halves(context, context.topic("t")))
                .add("key-shared.sticky-ranges-not-stored", context -> halves(context, context.liveTopic("t")))
                .add("key-shared.sticky-overlap", StickyRanges::overlap)
                .add("key-shared.ordering-key", StickyRanges::orderingKey)
                .add("key-shared.sticky-ends", StickyRanges::ends)
                .add("key-shared.sticky-many", StickyRanges::many)
                .add("key-shared.sticky-nobodys", StickyRanges::nobodys)
                .add("key-shared.sticky-handed-on", StickyRanges::handedOn)
                .add("key-shared.sticky-then-auto-split", StickyRanges::thenAutoSplit)
                .add("key-shared.sticky-beside-others", StickyRanges::besideOthers);
    }

    private static Consumer<String> sticky(Context context, String topic, Range... ranges) throws Exception {
        return with(context, topic, KeySharedPolicy.stickyHashRange().ranges(ranges));
    }

    private static Consumer<String> with(Context context, String topic, KeySharedPolicy policy) throws Exception {
        return context.closing(Messages.consumer(context, topic, SubscriptionType.Key_Shared)
                .keySharedPolicy(policy)
                .subscribe());
    }

    private static void publish(Producer<String> producer, String... keys) throws Exception {
        for (String key : keys) {
            producer.newMessage().key(key).value("of " + key).send();
        }
    }

    private static void publishAll(Context context, String topic) throws Exception {
        Producer<String> producer = Messages.producer(context, topic);
        for (int i = 0; i < KEYS; i++) {
            publish(producer, "k" + i);
        }
    }

    /** The keys of what a consumer has, which it acknowledges. */
    private static Set<String> keysOf(Consumer<String> consumer) throws Exception {
        Set<String> keys = new TreeSet<>();
        Message<String> message = consumer.receive(2, TimeUnit.SECONDS);
        while (message != null) {
            consumer.acknowledge(message);
            keys.add(message.getKey());
            message = consumer.receive(500, TimeUnit.MILLISECONDS);
        }
        return keys;
    }

    private static void halves(Context context, String topic) throws Exception {
        Consumer<String> low = sticky(context, topic, LOW);
        Consumer<String> high = sticky(context, topic, HIGH);
        publishAll(context, topic);
        context.say("low", keysOf(low));
        context.say("high", keysOf(high));
    }

    private static void overlap(Context context) throws Exception {
        String topic = context.topic("t");
        Consumer<String> low = sticky(context, topic, Range.of(0, 100));
        context.call("overlap", () -> sticky(context, topic, Range.of(50, 200)).isConnected());
        context.call("beside", () -> sticky(context, topic, Range.of(101, 200)).isConnected());
        context.call("around", () -> sticky(context, topic, Range.of(0, 65535)).isConnected());
        context.call(
                "the last of it",
                () -> sticky(context, topic, Range.of(200, 300)).isConnected());
        context.say("first is connected", low.isConnected());
        low.close();
        context.call(
                "once it has left",
                () -> sticky(context, topic, Range.of(50, 100)).isConnected());
    }

    private static void orderingKey(Context context) throws Exception {
        String topic = context.topic("t");
        Consumer<String> low = sticky(context, topic, LOW);
        Consumer<String> high = sticky(context, topic, HIGH);
        Producer<String> producer = Messages.producer(context, topic);
        for (int i = 0; i < KEYS; i++) {
            producer.newMessage()
                    .key("k" + i)
                    .orderingKey(new byte[] {(byte) i})
                    .value("m" + i)
                    .send();
        }
        context.say("low", keysOf(low));
        context.say("high", keysOf(high));
    }

    /** The first hashes and the last are each somebody's own. */
    private static void ends(Context context) throws Exception {
        String topic = context.topic("t");
        Consumer<String> zero = sticky(context, topic, Range.of(0, 0));
        Consumer<String> one = sticky(context, topic, Range.of(1, 1));
        Consumer<String> rest = sticky(context, topic, Range.of(2, 65534));
        Consumer<String> last = sticky(context, topic, Range.of(65535, 65535));
        publish(Messages.producer(context, topic), OF_HASH_0, OF_HASH_1, OF_HASH_2, OF_HASH_65535, "k0");
        context.say("0", keysOf(zero));
        context.say("1", keysOf(one));
        context.say("2 to 65534", keysOf(rest));
        context.say("65535", keysOf(last));
    }

    private static void many(Context context) throws Exception {
        String topic = context.topic("t");
        Consumer<String> even = sticky(context, topic, Range.of(0, 16383), Range.of(32768, 49151));
        Consumer<String> odd = sticky(context, topic, Range.of(49152, 65535), Range.of(16384, 32767));
        publishAll(context, topic);
        context.say("even", keysOf(even));
        context.say("odd", keysOf(odd));
    }

    /** A key that is in nobody's range waits, holds nobody else up, and is not lost. */
    private static void nobodys(Context context) throws Exception {
        String topic = context.topic("t");
        Consumer<String> last = sticky(context, topic, Range.of(65535, 65535));
        Producer<String> producer = Messages.producer(context, topic);
        publish(producer, OF_HASH_1, OF_HASH_65535, OF_HASH_1, OF_HASH_65535);
        context.say("last", Messages.take(last, 2));
        context.say("nothing else", Messages.rest(last));
        Consumer<String> first = sticky(context, topic, Range.of(0, 1));
        context.say("first", Messages.take(first, 2));
        context.say("left", Messages.backlog(context, topic));
    }

    /** What a consumer had not acknowledged goes to the next that claims its range, in order. */
    private static void handedOn(Context context) throws Exception {
        String topic = context.topic("t");
        Consumer<String> low = sticky(context, topic, LOW);
        Consumer<String> high = sticky(context, topic, HIGH);
        Producer<String> producer = Messages.producer(context, topic);
        for (int i = 0; i < 4; i++) {
            producer.newMessage().key("k0").value("m" + i).send();
        }
        context.say("low", Messages.texts(Messages.receive(low, 4)));
        low.close();
        context.say("high", Messages.rest(high));
        Consumer<String> next = sticky(context, topic, Range.of(20000, 30000));
        producer.newMessage().key("k0").value("m4").send();
        context.say("next", Messages.take(next, 5));
    }

    private static void thenAutoSplit(Context context) throws Exception {
        String topic = context.topic("t");
        Consumer<String> high = sticky(context, topic, HIGH);
        publishAll(context, topic);
        context.say("high", keysOf(high));
        high.close();
        Consumer<String> all = with(context, topic, KeySharedPolicy.autoSplitHashRange());
        context.say("rest", keysOf(all));
        all.close();
        publishAll(context, topic);
        context.say("low again", keysOf(sticky(context, topic, LOW)));
    }

    private static void besideOthers(Context context) throws Exception {
        String topic = context.topic("t");
        Consumer<String> low = sticky(context, topic, LOW);
        context.call(
                "split",
                () -> with(context, topic, KeySharedPolicy.autoSplitHashRange()).isConnected());
        context.call(
                "out of order",
                () -> with(
                                context,
                                topic,
                                KeySharedPolicy.stickyHashRange().ranges(HIGH).setAllowOutOfOrderDelivery(true))
                        .isConnected());
        low.close();
        Consumer<String> split = with(context, topic, KeySharedPolicy.autoSplitHashRange());
        context.call("sticky", () -> sticky(context, topic, LOW).isConnected());
        context.say("is connected", split.isConnected());
    }
}
