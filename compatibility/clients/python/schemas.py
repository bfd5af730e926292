"""Schemas of the Python client: what is registered, what is refused, readers and views of types."""

import json

import pulsar
from google.protobuf.wrappers_pb2 import StringValue
from pulsar.schema import (
    Array,
    AvroSchema,
    Boolean,
    Bytes,
    BytesSchema,
    Double,
    Float,
    Integer,
    JsonSchema,
    Long,
    Map,
    ProtobufNativeSchema,
    Record,
    String,
    StringSchema,
)

from orders import Order, Shipped
from scenario import Theme, receive

THEME = Theme("python-schemas")


class Address(Record):
    _avro_namespace = "shop"
    street = String()


class Counted(Record):
    """An order with a field that has no default."""

    _avro_namespace = "shop"
    count = Integer(required=True)
    item = String()
    weight = Double(required=True, required_default=False)

    @classmethod
    def schema(cls):
        definition = {**super().schema(), "name": "Order"}
        for field in definition["fields"]:
            field.pop("default", None)
        return definition


class Retyped(Record):
    _avro_namespace = "shop"
    count = String(required=True)
    item = String()

    @classmethod
    def schema(cls):
        return {**super().schema(), "name": "Order"}


class Everything(Record):
    _avro_namespace = "shop"
    yes = Boolean()
    small = Integer()
    large = Long()
    single = Float()
    double = Double()
    raw = Bytes()
    text = String()
    list = Array(String())
    map = Map(Integer())
    inner = Address()


KINDS = {
    "avro": AvroSchema,
    "json": JsonSchema,
}


def value(message):
    if message is None:
        return "nothing"
    found = message.value()
    if isinstance(found, Record):
        return {name: plain(getattr(found, name)) for name in found._fields}
    return plain(found)


def plain(found):
    if isinstance(found, Record):
        return {name: plain(getattr(found, name)) for name in found._fields}
    return found


def registered(c, key="registered", name="t"):
    status, body = c.admin.send("GET", f"schemas/{c.namespace()}/{name}/schema")
    c.say(key, status)
    if status == 200:
        answer = json.loads(body)
        c.say(key + " type", answer["type"])
        c.say(key + " version", answer["version"])
        c.say(key + " data", answer["data"])


def versions(c, name="t"):
    answer = c.admin.must("GET", f"schemas/{c.namespace()}/{name}/schemas")
    return len(answer["getSchemaResponses"])


def primitive(name, schema, sent):
    @THEME.scenario(f"{name}.round")
    def round_trip(c):
        consumer = c.consumer(c.topic(), schema=schema())
        c.producer(c.topic(), schema=schema()).send(sent)
        c.say("value", value(receive(consumer)))
        registered(c)


primitive("bytes", BytesSchema, b"abc")
primitive("string", StringSchema, "größer")
primitive("protobuf-native", lambda: ProtobufNativeSchema(StringValue), StringValue(value="x"))


@THEME.scenario("protobuf-native.another-message")
def another_message(c):
    from google.protobuf.wrappers_pb2 import Int32Value

    c.producer(c.topic(), schema=ProtobufNativeSchema(StringValue)).send(StringValue(value="x"))
    c.run("producer", lambda: c.producer(c.topic(), schema=ProtobufNativeSchema(Int32Value)))
    c.run("consumer", lambda: c.consumer(c.topic(), schema=ProtobufNativeSchema(Int32Value)))


def of_kind(name, schema):
    @THEME.scenario(f"{name}.round")
    def round_trip(c):
        consumer = c.consumer(c.topic(), schema=schema(Order))
        c.producer(c.topic(), schema=schema(Order)).send(Order(count=3, item="x"))
        c.say("value", value(receive(consumer)))
        registered(c)

    @THEME.scenario(f"{name}.every-field")
    def every_field(c):
        consumer = c.consumer(c.topic(), schema=schema(Everything))
        raw = b"raw" if schema is AvroSchema else None
        c.producer(c.topic(), schema=schema(Everything)).send(
            Everything(
                yes=True,
                small=1,
                large=1 << 40,
                single=0.5,
                double=0.25,
                raw=raw,
                text="t",
                list=["a", "b"],
                map={"k": 1},
                inner=Address(street="s"),
            )
        )
        c.say("value", value(receive(consumer)))
        registered(c)

    @THEME.scenario(f"{name}.the-same-again")
    def the_same(c):
        for _ in range(3):
            c.producer(c.topic(), schema=schema(Order))
        c.say("versions", versions(c))

    @THEME.scenario(f"{name}.old-reader")
    def old_reader(c):
        c.producer(c.topic(), schema=schema(Order)).send(Order(count=1, item="a"))
        c.producer(c.topic(), schema=schema(Shipped)).send(Shipped(count=2, item="b", street="s"))
        consumer = c.consumer(c.topic(), schema=schema(Order))
        if schema is AvroSchema:
            c.say("values", [value(receive(consumer)) for _ in range(2)])
        else:
            c.say("first", value(receive(consumer)))
        c.say("versions", versions(c))

    @THEME.scenario(f"{name}.new-reader")
    def new_reader(c):
        c.producer(c.topic(), schema=schema(Order)).send(Order(count=1, item="a"))
        c.producer(c.topic(), schema=schema(Shipped)).send(Shipped(count=2, item="b", street="s"))
        consumer = c.consumer(c.topic(), schema=schema(Shipped))
        c.say("values", [value(receive(consumer)) for _ in range(2)])

    @THEME.scenario(f"{name}.versions-in-messages")
    def in_messages(c):
        first = c.producer(c.topic(), schema=schema(Order))
        second = c.producer(c.topic(), schema=schema(Shipped))
        second.send(Shipped(count=2))
        first.send(Order(count=1))
        consumer = c.consumer(c.topic())
        c.say("versions", [receive(consumer)._message.int_schema_version() for _ in range(2)])

    @THEME.scenario(f"{name}.refused.retyped")
    def retyped(c):
        c.producer(c.topic(), schema=schema(Order))
        c.run("producer", lambda: c.producer(c.topic(), schema=schema(Retyped)))
        c.run("consumer", lambda: c.consumer(c.topic(), schema=schema(Retyped)))
        c.say("versions", versions(c))

    @THEME.scenario(f"{name}.refused.field-without-default")
    def without_default(c):
        c.producer(c.topic(), schema=schema(Order))
        c.run("producer", lambda: c.producer(c.topic(), schema=schema(Counted)))
        c.say("versions", versions(c))

    @THEME.scenario(f"{name}.refused.other-types")
    def other_types(c):
        c.producer(c.topic(), schema=schema(Order))
        c.run("string producer", lambda: c.producer(c.topic(), schema=StringSchema()))
        c.run("string consumer", lambda: c.consumer(c.topic(), schema=StringSchema()))
        c.run("bytes producer", lambda: c.producer(c.topic()))
        c.run("bytes consumer", lambda: c.consumer(c.topic()))

    @THEME.scenario(f"{name}.set-first")
    def set_first(c):
        document = {"type": name.upper(), "schema": json.dumps(Order.schema()), "properties": {}}
        c.say("set", c.admin.send("POST", f"schemas/{c.namespace()}/t/schema", document)[0])
        consumer = c.consumer(c.topic(), schema=schema(Order))
        c.producer(c.topic(), schema=schema(Order)).send(Order(count=1, item="a"))
        c.say("value", value(receive(consumer)))
        c.say("versions", versions(c))
        c.run("another", lambda: c.producer(c.topic(), schema=schema(Retyped)))

    @THEME.scenario(f"{name}.closed-to-clients")
    def closed(c):
        c.admin.must("POST", f"namespaces/{c.namespace()}/isAllowAutoUpdateSchema", False)
        c.run("first", lambda: c.producer(c.topic(), schema=schema(Order)))
        document = {"type": name.upper(), "schema": json.dumps(Order.schema()), "properties": {}}
        c.say("set", c.admin.send("POST", f"schemas/{c.namespace()}/t/schema", document)[0])
        c.run("known", lambda: c.producer(c.topic(), schema=schema(Order)))
        c.run("unknown", lambda: c.producer(c.topic(), schema=schema(Shipped)))

    @THEME.scenario(f"{name}.enforced")
    def enforced(c):
        c.admin.must("POST", f"namespaces/{c.namespace()}/schemaValidationEnforced", True)
        c.producer(c.topic(), schema=schema(Order))
        c.run("without a schema", lambda: c.producer(c.topic()))

    @THEME.scenario(f"{name}.deleted")
    def deleted(c):
        c.producer(c.topic(), schema=schema(Order)).send(Order(count=1))
        c.say("delete", c.admin.send("DELETE", f"schemas/{c.namespace()}/t/schema")[0])
        registered(c, "then")
        c.run("producer", lambda: c.producer(c.topic(), schema=schema(Order)))
        c.say("versions", versions(c))

    @THEME.scenario(f"{name}.partitioned")
    def partitioned(c):
        c.admin.must("PUT", c.path() + "/partitions", 3)
        consumer = c.consumer(c.topic(), schema=schema(Order))
        producer = c.producer(c.topic(), schema=schema(Order))
        for i in range(6):
            producer.send(Order(count=i, item="a"))
        c.say("values", {value(receive(consumer))["count"] for _ in range(6)})
        registered(c)

    @THEME.scenario(f"{name}.several-topics")
    def several(c):
        for topic in ("a", "b"):
            c.producer(c.topic(topic), schema=schema(Order)).send(Order(count=1, item=topic))
        consumer = c.consumer([c.topic("a"), c.topic("b")], schema=schema(Order))
        c.say("values", {value(receive(consumer))["item"] for _ in range(2)})

    @THEME.scenario(f"{name}.reader")
    def reader(c):
        c.producer(c.topic(), schema=schema(Order)).send(Order(count=1, item="a"))
        c.say("value", value(receive(c.reader(c.topic(), schema=schema(Order)))))
        c.run("of another", lambda: c.reader(c.topic(), schema=schema(Retyped)))

    @THEME.scenario(f"{name}.view")
    def view(c):
        producer = c.producer(c.topic(), schema=schema(Order))
        producer.send(Order(count=1, item="a"), partition_key="k")
        seen = c.closing(c.client.create_table_view(c.topic(), schema=schema(Order)))
        c.wait_for("there", lambda: len(seen) == 1)
        c.say("value", plain(seen.get("k")))

    @THEME.scenario(f"{name}.key-shared")
    def key_shared(c):
        kind = pulsar.ConsumerType.KeyShared
        some = [c.consumer(c.topic(), consumer_type=kind, schema=schema(Order)) for _ in range(2)]
        producer = c.producer(c.topic(), schema=schema(Order))
        for i in range(20):
            producer.send(Order(count=i, item="a"), partition_key=f"k{i % 4}")
        owners, count = {}, 0
        for _ in range(200):
            for i, consumer in enumerate(some):
                message = receive(consumer, 50)
                if message is not None:
                    count += 1
                    value(message)
                    owners.setdefault(message.partition_key(), set()).add(i)
            if count == 20:
                break
        c.say("owners of each key", {key: len(whose) for key, whose in owners.items()})

    @THEME.scenario(f"{name}.batches")
    def batches(c):
        consumer = c.consumer(c.topic(), schema=schema(Order))
        producer = c.producer(c.topic(), schema=schema(Order), batching_enabled=True)
        for i in range(5):
            producer.send_async(Order(count=i, item="a"), lambda result, unused: None)
        producer.flush()
        c.say("values", [value(receive(consumer))["count"] for _ in range(5)])

    @THEME.scenario(f"{name}.compressed")
    def compressed(c):
        consumer = c.consumer(c.topic(), schema=schema(Order))
        producer = c.producer(c.topic(), schema=schema(Order), compression_type=pulsar.CompressionType.ZSTD)
        producer.send(Order(count=1, item="a" * 1000))
        c.say("value", value(receive(consumer))["count"])

    for strategy in ("ALWAYS_INCOMPATIBLE", "ALWAYS_COMPATIBLE", "BACKWARD", "FORWARD", "FULL", "FULL_TRANSITIVE"):
        by_strategy(name, schema, strategy)


def by_strategy(name, schema, strategy):
    @THEME.scenario(f"{name}.strategy.{strategy}")
    def by(c):
        c.admin.must("PUT", f"namespaces/{c.namespace()}/schemaCompatibilityStrategy", strategy)
        c.producer(c.topic(), schema=schema(Order))
        c.run("adds a field with a default", lambda: c.producer(c.topic(), schema=schema(Shipped)))
        c.run("adds one without", lambda: c.producer(c.topic(), schema=schema(Counted)))
        c.run("another type", lambda: c.producer(c.topic(), schema=schema(Retyped)))
        c.run("consumer of another type", lambda: c.consumer(c.topic(), schema=schema(Retyped)))
        c.say("versions", versions(c))


for named, kind in KINDS.items():
    of_kind(named, kind)


@THEME.scenario("avro.definition")
def definition(c):
    schema = AvroSchema(None, schema_definition=Order.schema())
    consumer = c.consumer(c.topic(), schema=schema)
    c.producer(c.topic(), schema=schema).send({"count": 1, "item": "a"})
    c.say("value", value(receive(consumer)))


@THEME.scenario("avro.garbage-by-bytes")
def garbage(c):
    c.producer(c.topic(), schema=AvroSchema(Order))
    c.run("bytes", lambda: c.producer(c.topic()).send(b"\xff\xff"))
    consumer = c.consumer(c.topic(), schema=AvroSchema(Order))
    message = receive(consumer)
    c.call("value", lambda: value(message))


@THEME.scenario("wrong-record")
def wrong(c):
    producer = c.producer(c.topic(), schema=AvroSchema(Order))
    c.run("send", lambda: producer.send(Address(street="s")))


@THEME.scenario("string-where-there-is-none")
def on_untyped(c):
    c.producer(c.topic()).send(b"a")
    c.run("consumer", lambda: c.consumer(c.topic(), "a", schema=StringSchema()))
    c.run("producer", lambda: c.producer(c.topic(), schema=StringSchema()))
    registered(c)
