"""Partitioned topics with the Python client."""

import pulsar

from consuming import TYPES, publish
from scenario import Theme, receive

THEME = Theme("python-partitions")
COUNT = 3


def made(c, name="t"):
    c.admin.must("PUT", c.path(name) + "/partitions", COUNT)
    return c.topic(name)


@THEME.scenario("names")
def names(c):
    topic = made(c)
    c.say("partitions", c.client.get_topic_partitions(topic))
    c.say("of a plain one", c.client.get_topic_partitions(c.topic("plain")))
    c.call("of no namespace", lambda: c.client.get_topic_partitions(f"persistent://{c.namespace()}-not/t"))


def of_type(name, kind):
    @THEME.scenario(f"{name}.all-come")
    def all_come(c):
        topic = made(c)
        consumer = c.consumer(topic, consumer_type=kind)
        publish(c, topic, *"abcdef")
        c.say("received", set(c.take(consumer, 6)))

    @THEME.scenario(f"{name}.seek")
    def seek(c):
        topic = made(c)
        consumer = c.consumer(topic, consumer_type=kind)
        publish(c, topic, *"abcdef")
        c.say("received", set(c.take(consumer, 6)))
        c.run("seek", lambda: consumer.seek(pulsar.MessageId.earliest))
        c.say("again", set(c.take(consumer, 6)))


for named, kind in TYPES.items():
    of_type(named, kind)


@THEME.scenario("routing.by-key")
def by_key(c):
    topic = made(c)
    producer = c.producer(topic)
    parts = {}
    for i in range(30):
        sent = producer.send(b"x", partition_key=f"k{i % 5}")
        parts.setdefault(f"k{i % 5}", set()).add(sent.partition())
    c.say("partitions of keys", parts)


@THEME.scenario("routing.by-key-murmur")
def murmur(c):
    topic = made(c)
    consumer = c.consumer(topic)
    publish(c, topic, "a", partition_key="k")
    message = receive(consumer)
    c.say("partition", message.message_id().partition())
    c.say("topic", message.topic_name())


@THEME.scenario("routing.own")
def own(c):
    topic = made(c)
    producer = c.producer(topic, message_router=lambda message, count: count - 1)
    c.say("partition", producer.send(b"x").partition())


@THEME.scenario("routing.lazy")
def lazy(c):
    topic = made(c)
    producer = c.producer(
        topic,
        lazy_start_partitioned_producers=True,
        message_routing_mode=pulsar.PartitionsRoutingMode.UseSinglePartition,
    )
    c.say("of one partition", len({producer.send(b"x").partition() for _ in range(5)}))


@THEME.scenario("grows")
def grows(c):
    topic = made(c)
    c.say("grow", c.admin.send("POST", c.path() + "/partitions", 5)[0])
    c.say("partitions", len(c.client.get_topic_partitions(topic)))
    consumer = c.consumer(topic)
    producer = c.producer(topic)
    c.say("used", {producer.send(b"x", partition_key=f"key {i}").partition() for i in range(100)})
    c.say("received", len([one for one in c.take(consumer, 100) if one == "x"]))


@THEME.scenario("last-ids")
def last_ids(c):
    topic = made(c)
    consumer = c.consumer(topic)
    c.call("of a partitioned topic", lambda: c.id(consumer.get_last_message_id()))


@THEME.scenario("producer.exclusive")
def exclusive(c):
    topic = made(c)
    c.producer(topic, access_mode=pulsar.ProducerAccessMode.Exclusive)
    c.run("another", lambda: c.producer(topic, access_mode=pulsar.ProducerAccessMode.Exclusive))


@THEME.scenario("made-on-use")
def on_use(c):
    policy = {"allowAutoTopicCreation": True, "topicType": "partitioned", "defaultNumPartitions": 2}
    c.say("policy", c.admin.send("POST", f"namespaces/{c.namespace()}/autoTopicCreation", policy)[0])
    c.producer(c.topic())
    c.say("partitions", c.client.get_topic_partitions(c.topic()))


@THEME.scenario("not-made-on-use")
def not_on_use(c):
    policy = {"allowAutoTopicCreation": False}
    c.say("policy", c.admin.send("POST", f"namespaces/{c.namespace()}/autoTopicCreation", policy)[0])
    c.run("producer", lambda: c.producer(c.topic()))
    c.run("consumer", lambda: c.consumer(c.topic()))
    c.run("reader", lambda: c.reader(c.topic()))


@THEME.scenario("pattern")
def pattern(c):
    import re

    topic = made(c, "order")
    consumer = c.consumer(re.compile(f"persistent://{c.namespace()}/order.*"), pattern_auto_discovery_period=1)
    publish(c, topic, *"abcdef")
    c.say("received", set(c.take(consumer, 6)))
