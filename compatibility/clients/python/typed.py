"""Publishes and consumes one value of a kind of schema when told to, for scenarios in which languages speak to each other.

Each line of the standard input is a verb, a kind and a topic; each gets a line: 'ok' and what was received, or 'failed' and the class
of the failure.
"""

import json
import sys

import pulsar
from google.protobuf.wrappers_pb2 import StringValue
from pulsar.schema import AvroSchema, BytesSchema, JsonSchema, ProtobufNativeSchema, StringSchema

from orders import Order, Shipped
from scenario import PATIENCE_MILLIS, QUIET, failure


def told(order):
    return {name: getattr(order, name) for name in order._fields}


# Of each kind: its schema, a value, and what a value is told as.
KINDS = {
    "bytes": (BytesSchema, b"value", lambda v: v.decode()),
    "string": (StringSchema, "größer", str),
    "avro": (lambda: AvroSchema(Order), Order(count=7, item="x"), told),
    "json": (lambda: JsonSchema(Order), Order(count=7, item="x"), told),
    "avro-2": (lambda: AvroSchema(Shipped), Shipped(count=8, item="y", street="z"), told),
    "json-2": (lambda: JsonSchema(Shipped), Shipped(count=8, item="y", street="z"), told),
    "protobuf-native": (lambda: ProtobufNativeSchema(StringValue), StringValue(value="x"), lambda v: v.value),
}


def publish(client, kind, topic):
    schema, value, _ = KINDS[kind]
    producer = client.create_producer(topic, schema=schema())
    producer.send(value, partition_key="k")
    producer.close()
    return ""


def consume(client, kind, topic):
    """What a consumer of the kind gets next; it acknowledges."""
    schema, _, tell = KINDS[kind]
    consumer = client.subscribe(topic, "s", schema=schema(), initial_position=pulsar.InitialPosition.Earliest)
    try:
        message = consumer.receive(timeout_millis=PATIENCE_MILLIS)
        told_value = tell(message.value())
        consumer.acknowledge(message)
        return told_value
    finally:
        consumer.close()


def raw(client, kind, topic):
    """The key and the bytes that a consumer without a schema gets next."""
    consumer = client.subscribe(topic, "s", pulsar.ConsumerType.KeyShared, initial_position=pulsar.InitialPosition.Earliest)
    try:
        message = consumer.receive(timeout_millis=PATIENCE_MILLIS)
        consumer.acknowledge(message)
        return {"key": message.partition_key(), "data": message.data().hex()}
    finally:
        consumer.close()


def read(client, kind, topic):
    schema, _, tell = KINDS[kind]
    reader = client.create_reader(topic, pulsar.MessageId.earliest, schema=schema())
    try:
        return tell(reader.read_next(timeout_millis=PATIENCE_MILLIS).value())
    finally:
        reader.close()


def view(client, kind, topic):
    schema, _, tell = KINDS[kind]
    seen = client.create_table_view(topic, schema=schema())
    try:
        return tell(seen.get("k"))
    finally:
        seen.close()


VERBS = {"publish": publish, "consume": consume, "raw": raw, "read": read, "view": view}


def speak(service_url):
    client = pulsar.Client(service_url, logger=QUIET)
    for line in sys.stdin:
        verb, kind, topic = line.split()
        try:
            answer = "ok " + json.dumps(VERBS[verb](client, kind, topic), ensure_ascii=False, sort_keys=True)
        except Exception as e:
            answer = "failed " + failure(e)
        print(answer, flush=True)
    client.close()
