"""Readers, seeks and table views of the Python client."""

import time

import pulsar

from consuming import publish
from producing import send_batch
from scenario import Theme, receive

THEME = Theme("python-places")


def read_all(reader):
    texts = []
    while reader.has_message_available():
        message = receive(reader)
        if message is None:
            return texts + ["nothing"]
        texts.append(message.data().decode())
    return texts


@THEME.scenario("reader.earliest")
def earliest(c):
    publish(c, c.topic(), "a", "b")
    c.say("read", read_all(c.reader(c.topic())))


@THEME.scenario("reader.latest")
def latest(c):
    publish(c, c.topic(), "a")
    reader = c.reader(c.topic(), pulsar.MessageId.latest)
    c.say("before", reader.has_message_available())
    publish(c, c.topic(), "b")
    c.wait_for("then", reader.has_message_available)
    c.say("read", read_all(reader))


@THEME.scenario("reader.from-an-id")
def from_id(c):
    ids = publish(c, c.topic(), "a", "b", "c")
    c.say("after it", read_all(c.reader(c.topic(), ids[0])))
    c.say("with it", read_all(c.reader(c.topic(), ids[0], start_message_id_inclusive=True)))
    c.say("after the last", read_all(c.reader(c.topic(), ids[2])))


@THEME.scenario("reader.from-an-id-within-a-batch")
def from_batch(c):
    ids = send_batch(c.producer(c.topic(), batching_enabled=True, batching_max_publish_delay_ms=2000), 4)
    c.say("ids", [c.id(one) for one in ids])
    c.say("after it", read_all(c.reader(c.topic(), ids[1])))
    c.say("with it", read_all(c.reader(c.topic(), ids[1], start_message_id_inclusive=True)))


@THEME.scenario("reader.from-a-stored-id")
def stored(c):
    ids = publish(c, c.topic(), "a", "b")
    again = pulsar.MessageId.deserialize(ids[0].serialize())
    c.say("equal", again == ids[0])
    c.say("after it", read_all(c.reader(c.topic(), again)))


@THEME.scenario("reader.empty-topic")
def empty(c):
    c.producer(c.topic())
    c.call("earliest", lambda: c.reader(c.topic()).has_message_available())
    c.call("latest", lambda: c.reader(c.topic(), pulsar.MessageId.latest).has_message_available())


@THEME.scenario("reader.seeks-by-id")
def reader_seek(c):
    ids = publish(c, c.topic(), "a", "b", "c")
    reader = c.reader(c.topic())
    c.say("first", read_all(reader))
    reader.seek(ids[1])
    c.say("then", read_all(reader))
    reader.seek(pulsar.MessageId.earliest)
    c.say("from the start", read_all(reader))


@THEME.scenario("reader.seeks-by-time")
def reader_time(c):
    publish(c, c.topic(), "a", "b")
    reader = c.reader(c.topic())
    read_all(reader)
    reader.seek(int(time.time() * 1000) - 3_600_000)
    c.say("an hour ago", read_all(reader))
    reader.seek(int(time.time() * 1000) + 3_600_000)
    c.say("in an hour", read_all(reader))


@THEME.scenario("reader.leaves-no-subscription")
def leaves_none(c):
    publish(c, c.topic(), "a")
    reader = c.reader(c.topic(), reader_name="r", subscription_role_prefix="role")
    c.say("while it reads", len(c.admin.must("GET", c.path() + "/subscriptions")))
    reader.close()
    c.wait_for("gone", lambda: not c.admin.must("GET", c.path() + "/subscriptions"))


@THEME.scenario("reader.no-such-topic-partition")
def partition(c):
    c.say("make", c.admin.send("PUT", c.path() + "/partitions", 2)[0])
    c.run("whole", lambda: c.reader(c.topic()))
    publish(c, c.topic() + "-partition-1", "a")
    c.say("one of it", read_all(c.reader(c.topic() + "-partition-1")))


def by_type(name, kind):
    @THEME.scenario(f"seek.{name}.by-id")
    def by_id(c):
        consumer = c.consumer(c.topic(), consumer_type=kind)
        ids = publish(c, c.topic(), "a", "b", "c", partition_key="k")
        c.say("first", c.take(consumer, 3))
        consumer.seek(ids[1])
        c.say("then", c.take(consumer, 1))
        consumer.seek(pulsar.MessageId.earliest)
        c.say("from the start", c.take(consumer, 3))

    @THEME.scenario(f"seek.{name}.by-time")
    def by_time(c):
        consumer = c.consumer(c.topic(), consumer_type=kind)
        publish(c, c.topic(), "a", "b", partition_key="k")
        c.say("first", c.take(consumer, 2))
        consumer.seek(int(time.time() * 1000) - 3_600_000)
        c.say("an hour ago", c.take(consumer, 2))


for named, kind in {
    "exclusive": pulsar.ConsumerType.Exclusive,
    "failover": pulsar.ConsumerType.Failover,
    "shared": pulsar.ConsumerType.Shared,
    "key-shared": pulsar.ConsumerType.KeyShared,
}.items():
    by_type(named, kind)


@THEME.scenario("seek.with-the-id")
def inclusive(c):
    consumer = c.consumer(c.topic(), start_message_id_inclusive=True)
    ids = publish(c, c.topic(), "a", "b", "c")
    c.say("first", c.take(consumer, 3))
    consumer.seek(ids[1])
    c.say("then", c.take(consumer, 2))


@THEME.scenario("view")
def view(c):
    producer = c.producer(c.topic())
    producer.send(b"1", partition_key="a")
    producer.send(b"2", partition_key="b")
    producer.send(b"3", partition_key="a")
    seen = c.closing(c.client.create_table_view(c.topic()))
    c.wait_for("two keys", lambda: len(seen) == 2)
    c.say("a", seen.get("a"))
    c.say("none", seen.get("x"))
    producer.send(b"4", partition_key="c")
    c.wait_for("three keys", lambda: len(seen) == 3)
    found = {}
    seen.for_each(lambda key, value: found.__setitem__(key, value))
    c.say("all", found)


@THEME.scenario("view.partitioned")
def view_partitioned(c):
    c.admin.must("PUT", c.path() + "/partitions", 3)
    producer = c.producer(c.topic())
    for i in range(6):
        producer.send(str(i).encode(), partition_key=f"k{i}")
    seen = c.closing(c.client.create_table_view(c.topic()))
    c.wait_for("six keys", lambda: len(seen) == 6)


@THEME.scenario("view.removes")
def view_removes(c):
    producer = c.producer(c.topic())
    seen = c.closing(c.client.create_table_view(c.topic()))
    heard = []
    seen.for_each_and_listen(lambda key, value: heard.append(f"{key}={value.decode()}"))
    producer.send(b"1", partition_key="a")
    c.wait_for("there", lambda: len(seen) == 1)
    producer.send(b"", partition_key="a")
    c.wait_for("gone", lambda: len(seen) == 0)
    c.say("heard", heard[:1])
