"""What the Python client publishes: keys, properties, times, batches, chunks, compression, access modes, names."""

import threading
from datetime import timedelta

import pulsar

from scenario import Theme, receive

THEME = Theme("python-producers")


def told(c, key, message):
    if message is None:
        c.say(key, "nothing")
        return
    c.say(key, message.data())
    c.say(key + " key", message.partition_key())
    c.say(key + " ordering key", message.ordering_key())
    c.say(key + " properties", message.properties())
    c.say(key + " event time", message.event_timestamp())
    c.say(key + " redeliveries", message.redelivery_count())
    c.say(key + " topic", message.topic_name())


@THEME.scenario("everything-of-a-message")
def everything(c):
    consumer = c.consumer(c.topic())
    producer = c.producer(c.topic())
    producer.send(
        b"one", properties={"a": "1", "b": ""}, partition_key="k", ordering_key="o", sequence_id=7, event_timestamp=12345
    )
    c.say("last sequence id", producer.last_sequence_id())
    told(c, "message", receive(consumer))


@THEME.scenario("empty-message")
def empty(c):
    consumer = c.consumer(c.topic())
    c.producer(c.topic()).send(b"")
    told(c, "message", receive(consumer))


@THEME.scenario("ids")
def ids(c):
    producer = c.producer(c.topic())
    c.say("sent", [c.id(producer.send(str(i).encode())) for i in range(3)])


@THEME.scenario("sequence-ids")
def sequence_ids(c):
    producer = c.producer(c.topic(), producer_name="p", initial_sequence_id=10)
    c.say("before", producer.last_sequence_id())
    producer.send(b"a")
    c.say("then", producer.last_sequence_id())
    producer.send(b"b", sequence_id=20)
    c.say("after 20", producer.last_sequence_id())
    c.say("name", producer.producer_name())


@THEME.scenario("names-are-unique")
def unique_names(c):
    c.producer(c.topic(), producer_name="p")
    c.run("another of that name", lambda: c.producer(c.topic(), producer_name="p"))


def compressed(name, kind):
    @THEME.scenario(f"compression.{name}")
    def compression(c):
        consumer = c.consumer(c.topic())
        producer = c.producer(c.topic(), compression_type=kind)
        producer.send(b"x" * 10_000)
        message = receive(consumer)
        c.say("bytes", None if message is None else len(message.data()))

    @THEME.scenario(f"compression-of-batches.{name}")
    def compression_of_batches(c):
        consumer = c.consumer(c.topic())
        send_batch(c.producer(c.topic(), compression_type=kind, batching_enabled=True, batching_max_publish_delay_ms=500), 5)
        c.say("received", c.take(consumer, 5))


def send_batch(producer, count, **options):
    """Sends that are one batch, and returns their ids."""
    ids = [None] * count
    done = threading.Semaphore(0)

    def sent(i):
        def callback(result, message_id):
            ids[i] = message_id
            done.release()

        return callback

    for i in range(count):
        producer.send_async(str(i).encode(), sent(i), **options)
    producer.flush()
    for _ in range(count):
        done.acquire()
    return ids


for named, kind in {
    "none": pulsar.CompressionType.NONE,
    "lz4": pulsar.CompressionType.LZ4,
    "zlib": pulsar.CompressionType.ZLib,
    "zstd": pulsar.CompressionType.ZSTD,
    "snappy": pulsar.CompressionType.SNAPPY,
}.items():
    compressed(named, kind)


@THEME.scenario("batch")
def batch(c):
    consumer = c.consumer(c.topic())
    producer = c.producer(c.topic(), batching_enabled=True, batching_max_publish_delay_ms=2000)
    c.say("sent", [c.id(one) for one in send_batch(producer, 4)])
    received = [receive(consumer) for _ in range(4)]
    c.say("received", [c.id(one.message_id()) for one in received])
    consumer.acknowledge_cumulative(received[1])
    consumer.redeliver_unacknowledged_messages()
    c.say("again", c.take(consumer, 2))


@THEME.scenario("batches-by-key")
def by_key(c):
    consumer = c.consumer(c.topic(), consumer_type=pulsar.ConsumerType.KeyShared)
    producer = c.producer(
        c.topic(), batching_enabled=True, batching_max_publish_delay_ms=500, batching_type=pulsar.BatchingType.KeyBased
    )
    for i in range(6):
        producer.send_async(str(i).encode(), lambda result, unused: None, partition_key=f"k{i % 2}")
    producer.flush()
    keys = {}
    for _ in range(6):
        message = receive(consumer)
        keys.setdefault(message.partition_key(), []).append(message.data())
    c.say("received", keys)


@THEME.scenario("too-large")
def too_large(c):
    c.run("send", lambda: c.producer(c.topic()).send(b"c" * (6 * 1024 * 1024)))


@THEME.scenario("delayed")
def delayed(c):
    consumer = c.consumer(c.topic(), consumer_type=pulsar.ConsumerType.Shared)
    producer = c.producer(c.topic())
    producer.send(b"late", deliver_after=timedelta(seconds=2))
    producer.send(b"soon")
    c.say("received", c.take(consumer, 2))


@THEME.scenario("delayed-for-exclusive")
def delayed_exclusive(c):
    consumer = c.consumer(c.topic())
    producer = c.producer(c.topic())
    producer.send(b"late", deliver_after=timedelta(seconds=60))
    producer.send(b"soon")
    c.say("received", c.take(consumer, 2))


@THEME.scenario("access.exclusive")
def exclusive(c):
    mode = pulsar.ProducerAccessMode.Exclusive
    c.producer(c.topic(), access_mode=mode).send(b"a")
    c.run("another", lambda: c.producer(c.topic(), access_mode=mode))
    c.run("a shared one", lambda: c.producer(c.topic()))


@THEME.scenario("access.beside-shared")
def beside_shared(c):
    c.producer(c.topic()).send(b"a")
    c.run("exclusive", lambda: c.producer(c.topic(), access_mode=pulsar.ProducerAccessMode.Exclusive))


@THEME.scenario("access.fencing")
def fencing(c):
    first = c.producer(c.topic(), access_mode=pulsar.ProducerAccessMode.Exclusive)
    second = c.producer(c.topic(), access_mode=pulsar.ProducerAccessMode.ExclusiveWithFencing)
    c.run("the second", lambda: second.send(b"a"))
    c.run("the first", lambda: first.send(b"a"))


@THEME.scenario("deduplication")
def deduplication(c):
    c.admin.must("POST", f"namespaces/{c.namespace()}/deduplication", True)
    producer = c.producer(c.topic(), producer_name="p")
    producer.send(b"a", sequence_id=1)
    producer.send(b"b", sequence_id=2)
    c.say("received", c.take(c.consumer(c.topic()), 2))


@THEME.scenario("closed")
def closed(c):
    producer = c.producer(c.topic())
    producer.close()
    c.run("send", lambda: producer.send(b"a"))
    c.say("connected", producer.is_connected())


@THEME.scenario("terminated")
def terminated(c):
    producer = c.producer(c.topic())
    producer.send(b"a")
    c.say("terminate", c.admin.send("POST", c.path() + "/terminate")[0])
    c.run("send", lambda: producer.send(b"b"))
    c.run("another producer", lambda: c.producer(c.topic()))


@THEME.scenario("no-such-namespace")
def no_namespace(c):
    c.run("producer", lambda: c.producer(f"persistent://{c.namespace()}-not/t"))
    c.run("consumer", lambda: c.consumer(f"persistent://{c.namespace()}-not/t"))
    c.run("reader", lambda: c.reader(f"persistent://{c.namespace()}-not/t"))


@THEME.scenario("bad-names")
def bad_names(c):
    c.run("domain", lambda: c.producer("other://a/b/c"))
    c.run("parts", lambda: c.producer("persistent://a/b"))


@THEME.scenario("non-persistent")
def live(c):
    topic = f"non-persistent://{c.namespace()}/t"
    consumer = c.consumer(topic)
    producer = c.producer(topic)
    producer.send(b"a")
    c.say("received", c.take(consumer, 1))


@THEME.scenario("null-value")
def null_value(c):
    consumer = c.consumer(c.topic())
    c.run("send", lambda: c.producer(c.topic()).send(None, partition_key="k"))
    message = receive(consumer, 2000)
    c.say("received", None if message is None else [message.data(), message.has_null_value()])
