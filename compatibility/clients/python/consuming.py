"""What the Python client consumes: subscription types, acknowledgements, redelivery, dead letters, patterns, several topics."""

import re

import pulsar

from scenario import Theme, receive

THEME = Theme("python-consumers")
TYPES = {
    "exclusive": pulsar.ConsumerType.Exclusive,
    "failover": pulsar.ConsumerType.Failover,
    "shared": pulsar.ConsumerType.Shared,
    "key-shared": pulsar.ConsumerType.KeyShared,
}


def publish(c, topic, *texts, **options):
    producer = c.producer(topic)
    return [producer.send(one.encode(), **options) for one in texts]


def of_type(name, kind):
    @THEME.scenario(f"{name}.in-order")
    def in_order(c):
        consumer = c.consumer(c.topic(), consumer_type=kind)
        publish(c, c.topic(), "a", "b", "c", partition_key="k")
        c.say("received", c.take(consumer, 3))

    @THEME.scenario(f"{name}.unacknowledged-come-again")
    def again(c):
        consumer = c.consumer(c.topic(), consumer_type=kind)
        publish(c, c.topic(), "a", "b", "c", partition_key="k")
        first = receive(consumer)
        c.say("received", [first.data()] + c.take(consumer, 2, acknowledge=False))
        consumer.acknowledge(first)
        consumer.close()
        c.say("then", c.take(c.consumer(c.topic(), consumer_type=kind), 2))

    @THEME.scenario(f"{name}.a-second-consumer")
    def second(c):
        first = c.consumer(c.topic(), consumer_type=kind, consumer_name="a")
        c.run("second", lambda: c.consumer(c.topic(), consumer_type=kind, consumer_name="b"))
        publish(c, c.topic(), "a")
        for other_name, other in TYPES.items():
            if other != kind:
                c.run("as " + other_name, lambda: c.consumer(c.topic(), consumer_type=other))
        c.say("name", first.consumer_name())

    @THEME.scenario(f"{name}.negative")
    def negative(c):
        consumer = c.consumer(c.topic(), consumer_type=kind, negative_ack_redelivery_delay_ms=100)
        publish(c, c.topic(), "a", partition_key="k")
        consumer.negative_acknowledge(receive(consumer))
        message = receive(consumer)
        c.say("again", message.data())
        if kind in (pulsar.ConsumerType.Shared, pulsar.ConsumerType.KeyShared):
            c.say("redeliveries", message.redelivery_count())

    @THEME.scenario(f"{name}.cumulative")
    def cumulative(c):
        consumer = c.consumer(c.topic(), consumer_type=kind)
        publish(c, c.topic(), "a", "b", "c", partition_key="k")
        receive(consumer)
        c.run("acknowledge", lambda: consumer.acknowledge_cumulative(receive(consumer)))
        c.say("rest", c.take(consumer, 1))

    @THEME.scenario(f"{name}.unsubscribe")
    def unsubscribe(c):
        consumer = c.consumer(c.topic(), consumer_type=kind)
        publish(c, c.topic(), "a")
        c.run("unsubscribe", consumer.unsubscribe)
        c.say("subscriptions", c.admin.must("GET", c.path() + "/subscriptions"))


for named, kind in TYPES.items():
    of_type(named, kind)


@THEME.scenario("shared.two-share")
def two_share(c):
    some = [c.consumer(c.topic(), consumer_type=pulsar.ConsumerType.Shared, receiver_queue_size=1) for _ in range(2)]
    publish(c, c.topic(), *"abcdef")
    received = [c.take(some[i % 2], 1)[0] for i in range(6)]
    c.say("received", set(received))


@THEME.scenario("key-shared.keys-stay")
def keys_stay(c):
    some = [c.consumer(c.topic(), consumer_type=pulsar.ConsumerType.KeyShared) for _ in range(2)]
    producer = c.producer(c.topic())
    for i in range(40):
        producer.send(str(i).encode(), partition_key=f"k{i % 8}")
    owners, count = {}, 0
    while count < 40:
        before = count
        for i, consumer in enumerate(some):
            message = receive(consumer, 200)
            if message is not None:
                count += 1
                owners.setdefault(message.partition_key(), set()).add(i)
        if count == before and receive(some[0], 5000) is None:
            break
    c.say("received", count)
    c.say("owners of each key", {key: len(whose) for key, whose in owners.items()})


@THEME.scenario("key-shared.ordering-key-comes-first")
def ordering_key(c):
    some = [c.consumer(c.topic(), consumer_type=pulsar.ConsumerType.KeyShared) for _ in range(2)]
    producer = c.producer(c.topic())
    for i in range(20):
        producer.send(str(i).encode(), partition_key=f"k{i}", ordering_key="one")
    counts = [0, 0]
    for _ in range(100):
        for i, consumer in enumerate(some):
            if receive(consumer, 50) is not None:
                counts[i] += 1
        if sum(counts) == 20:
            break
    c.say("of one consumer", sorted(counts))


@THEME.scenario("key-shared.sticky")
def sticky(c):
    def policy(low, high):
        return pulsar.ConsumerKeySharedPolicy(key_shared_mode=pulsar.KeySharedMode.Sticky, sticky_ranges=[(low, high)])

    shared = pulsar.ConsumerType.KeyShared
    c.consumer(c.topic(), consumer_type=shared, key_shared_policy=policy(0, 40000))
    c.run("overlaps", lambda: c.consumer(c.topic(), consumer_type=shared, key_shared_policy=policy(30000, 65535)))
    c.run("rest", lambda: c.consumer(c.topic(), consumer_type=shared, key_shared_policy=policy(40001, 65535)))


@THEME.scenario("failover.takes-over")
def takes_over(c):
    some = [c.consumer(c.topic(), consumer_type=pulsar.ConsumerType.Failover) for _ in range(2)]
    publish(c, c.topic(), "one")
    active = None
    for _ in range(200):
        active = next((one for one in some if active_takes(one)), None)
        if active is not None:
            break
    c.say("one is active", active is not None)
    active.close()
    publish(c, c.topic(), "two")
    some.remove(active)
    c.say("the other", c.take(some[0], 1))


def active_takes(consumer):
    message = receive(consumer, 50)
    if message is not None:
        consumer.acknowledge(message)
    return message is not None


@THEME.scenario("ack-timeout")
def ack_timeout(c):
    consumer = c.consumer(c.topic(), consumer_type=pulsar.ConsumerType.Shared, unacked_messages_timeout_ms=10_000)
    publish(c, c.topic(), "a")
    c.say("received", receive(consumer).data())
    message = receive(consumer, 25_000)
    c.say("again", None if message is None else message.data())


@THEME.scenario("dead-letters")
def dead_letters(c):
    dead = c.consumer(c.topic("dead"))
    consumer = c.consumer(
        c.topic(),
        consumer_type=pulsar.ConsumerType.Shared,
        negative_ack_redelivery_delay_ms=100,
        dead_letter_policy=pulsar.ConsumerDeadLetterPolicy(2, c.topic("dead"), "first"),
    )
    publish(c, c.topic(), "a")
    for _ in range(3):
        consumer.negative_acknowledge(receive(consumer))
    c.say("dead", c.take(dead, 1))
    c.say("subscriptions", set(c.admin.must("GET", c.path("dead") + "/subscriptions")))


@THEME.scenario("dead-letters-by-default-name")
def dead_default(c):
    dead = c.consumer(c.topic("t-s-DLQ"))
    consumer = c.consumer(
        c.topic(),
        consumer_type=pulsar.ConsumerType.Shared,
        negative_ack_redelivery_delay_ms=100,
        dead_letter_policy=pulsar.ConsumerDeadLetterPolicy(1),
    )
    publish(c, c.topic(), "a")
    for _ in range(2):
        consumer.negative_acknowledge(receive(consumer))
    c.say("dead", c.take(dead, 1))


@THEME.scenario("batch-receive")
def batch_receive(c):
    consumer = c.consumer(c.topic(), batch_receive_policy=pulsar.ConsumerBatchReceivePolicy(3, -1, 5000))
    publish(c, c.topic(), "a", "b", "c")
    c.say("received", [one.data() for one in consumer.batch_receive()])


@THEME.scenario("batch-index")
def batch_index(c):
    from producing import send_batch

    kind = pulsar.ConsumerType.Shared
    consumer = c.consumer(c.topic(), consumer_type=kind, batch_index_ack_enabled=True)
    send_batch(c.producer(c.topic(), batching_enabled=True, batching_max_publish_delay_ms=2000), 4)
    received = [receive(consumer) for _ in range(4)]
    consumer.acknowledge(received[1])
    consumer.acknowledge(received[3])
    consumer.close()
    again = c.consumer(c.topic(), consumer_type=kind, batch_index_ack_enabled=True)
    c.say("then", c.take(again, 2))
    c.say("nothing more", c.nothing(again))


@THEME.scenario("several-topics")
def several(c):
    topics = [c.topic("a"), c.topic("b")]
    consumer = c.consumer(topics)
    for topic in topics:
        publish(c, topic, topic[-1])
    c.say("received", set(c.take(consumer, 2)))


@THEME.scenario("pattern")
def pattern(c):
    publish(c, c.topic("order-1"), "one")
    publish(c, c.topic("other"), "other")
    consumer = c.consumer(re.compile(f"persistent://{c.namespace()}/order-.*"), pattern_auto_discovery_period=1)
    c.say("received", c.take(consumer, 1))
    publish(c, c.topic("order-2"), "two")
    c.say("of a new one", c.take(consumer, 1))
    c.say("nothing else", c.nothing(consumer))


@THEME.scenario("pattern-of-both-domains")
def pattern_both(c):
    publish(c, c.topic("order-1"), "one")
    consumer = c.consumer(
        re.compile(f"{c.namespace()}/order-.*"), regex_subscription_mode=pulsar.RegexSubscriptionMode.AllTopics
    )
    c.say("received", c.take(consumer, 1))


@THEME.scenario("latest")
def latest(c):
    publish(c, c.topic(), "before")
    consumer = c.consumer(c.topic(), initial_position=pulsar.InitialPosition.Latest)
    publish(c, c.topic(), "after")
    c.say("received", c.take(consumer, 1))


@THEME.scenario("last-message-id")
def last(c):
    consumer = c.consumer(c.topic())
    c.call("of none", lambda: consumer.get_last_message_id().entry_id())
    ids = publish(c, c.topic(), "a", "b")
    c.say("sent", [c.id(one) for one in ids])
    c.call("last", lambda: c.id(consumer.get_last_message_id()))


@THEME.scenario("deleted-under-it")
def deleted(c):
    consumer = c.consumer(c.topic())
    c.say("delete", c.admin.send("DELETE", c.path())[0])
    consumer.close()
    c.say("unsubscribed first", c.admin.send("DELETE", c.path())[0])
    c.say("gone", c.admin.send("GET", c.path() + "/subscriptions")[0])
