"""The records of the scenarios: an order, and what a later version of the program made of it."""

from pulsar.schema import Integer, Record, String


class Order(Record):
    _avro_namespace = "shop"
    count = Integer(required=True)
    item = String()


class Shipped(Record):
    """An order that has a street besides, which older readers do not know."""

    _avro_namespace = "shop"
    count = Integer(required=True)
    item = String()
    street = String(required_default=True)

    @classmethod
    def schema(cls):
        return {**super().schema(), "name": "Order"}
