"""What a scenario is given, and how the scenarios of a theme are run and told.

A program prints transcripts as the files of compatibility/transcripts have them: '= name' begins a scenario, each other line is a
key and a value. A scenario tells only what is promised, never what depends on time.
"""

import concurrent.futures
import json
import os
import sys
import time
import traceback
import urllib.error
import urllib.request

import pulsar

AT_ONCE = 4
PATIENCE_MILLIS = 20_000
QUIET_MILLIS = 1_000


class Admin:
    """Requests to the admin API, as any tool sends them."""

    def __init__(self, url):
        self._url = url

    def send(self, method, path, body=None):
        """Returns the status and the body, as text."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self._url + "/admin/v2/" + path, data=data, method=method)
        request.add_header("Content-Type", "application/json")
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as refusal:
            return refusal.code, refusal.read().decode()

    def must(self, method, path, body=None):
        """The same, for what has to succeed; returns the answer's JSON, None if it is empty."""
        status, text = self.send(method, path, body)
        if status >= 300:
            raise RuntimeError(f"{method} {path} was answered {status} {text}")
        return json.loads(text) if text else None


class Context:
    """A scenario's clients, names of its own, and its transcript. One thread uses it."""

    def __init__(self, service_url, admin, client, tenant):
        self.service_url = service_url
        self.admin = admin
        self.client = client
        self.lines = {}
        self._tenant = tenant
        self._has_namespace = False
        self._closing = []
        self._ledgers = {}

    def namespace(self):
        """A namespace of this scenario, made when it is first asked for."""
        if not self._has_namespace:
            self._has_namespace = True
            self.admin.must("PUT", f"tenants/{self._tenant}", {"allowedClusters": ["standalone"]})
            self.admin.must("PUT", f"namespaces/{self._tenant}/ns")
        return f"{self._tenant}/ns"

    def topic(self, name="t"):
        """The full name of a topic of this scenario, which is not made by this."""
        return f"persistent://{self.namespace()}/{name}"

    def path(self, name="t"):
        """The same topic as the admin API's paths have it."""
        return f"persistent/{self.namespace()}/{name}"

    def closing(self, resource):
        self._closing.append(resource)
        return resource

    def new_client(self, **options):
        """A client of this scenario alone."""
        return self.closing(pulsar.Client(self.service_url, logger=QUIET, **options))

    def producer(self, topic, **options):
        return self.closing(self.client.create_producer(topic, **options))

    def consumer(self, topic, name="s", **options):
        options.setdefault("initial_position", pulsar.InitialPosition.Earliest)
        return self.closing(self.client.subscribe(topic, name, **options))

    def reader(self, topic, start=pulsar.MessageId.earliest, **options):
        return self.closing(self.client.create_reader(topic, start, **options))

    def say(self, key, value):
        """Writes a line; a key that comes again gets a number behind it."""
        unique, again = key, 2
        while unique in self.lines:
            unique, again = f"{key}#{again}", again + 1
        self.lines[unique] = text(value).replace(self._tenant, "TENANT").replace("\n", "\\n").rstrip()

    def call(self, key, verb):
        """Writes what a call returned, or the class of its failure."""
        try:
            told = verb()
        except Exception as e:
            told = failure(e)
        self.say(key, told)

    def run(self, key, verb):
        """Writes 'done', or the class of the failure."""
        self.call(key, lambda: (verb(), "done")[1])

    def take(self, consumer, count, acknowledge=True):
        """The texts of the next messages; 'nothing' stands for one that does not come."""
        texts = []
        for _ in range(count):
            message = receive(consumer)
            texts.append("nothing" if message is None else message.data().decode())
            if message is not None and acknowledge:
                consumer.acknowledge(message)
        return texts

    def nothing(self, consumer):
        """Whether nothing comes for a second."""
        return receive(consumer, QUIET_MILLIS) is None

    def wait_for(self, key, condition):
        """Waits until something has come to pass, and writes whether it did."""
        end = time.monotonic() + PATIENCE_MILLIS / 1000
        met = condition()
        while not met and time.monotonic() < end:
            time.sleep(0.005)
            met = condition()
        self.say(key, met)

    def id(self, message_id):
        """A message id as it is written: L0:3, of a partition L0:3:p1, of a batch L0:3:b2; ledgers in the order in which they were written."""
        ledger = self._ledgers.setdefault(message_id.ledger_id(), len(self._ledgers))
        partition = "" if message_id.partition() < 0 else f":p{message_id.partition()}"
        batch = "" if message_id.batch_index() < 0 else f":b{message_id.batch_index()}"
        return f"L{ledger}:{message_id.entry_id()}{partition}{batch}"

    def end(self):
        for resource in reversed(self._closing):
            try:
                resource.close()
            except (pulsar.AlreadyClosed, ValueError):
                pass  # The scenario closed it.


# Clients say nothing; transcripts say how things failed.
QUIET = pulsar.FileLogger(pulsar.LoggerLevel.Error, os.devnull)


def receive(consumer, millis=PATIENCE_MILLIS):
    """The next message of a consumer or a reader, None if there is none within the time."""
    try:
        take = consumer.read_next if hasattr(consumer, "read_next") else consumer.receive
        return take(timeout_millis=millis)
    except pulsar.Timeout:
        return None


def failure(error):
    return type(error).__name__


def text(value):
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, bytes):
        return value.decode("utf-8", "backslashreplace")
    if isinstance(value, dict):
        return "{" + ", ".join(f"{text(k)}={text(value[k])}" for k in sorted(value)) + "}"
    if isinstance(value, (set, frozenset)):
        return "[" + ", ".join(sorted(text(one) for one in value)) + "]"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(text(one) for one in value) + "]"
    return str(value)


class Theme:
    """Scenarios that belong together: a file of transcripts, a row of the page."""

    def __init__(self, name):
        self.name = name
        self.scenarios = {}

    def scenario(self, name):
        """Marks a function of a context as the scenario of that name."""

        def add(function):
            full = f"{self.name}.{name}"
            if full in self.scenarios:
                raise ValueError(f"there are two scenarios named {full}")
            self.scenarios[full] = function
            return function

        return add


def run(themes, service_url, admin_url, prefix, only):
    """Runs the scenarios whose name begins with ONLY, some at a time, and prints their transcripts in the order of the themes."""
    chosen = [(name, f) for theme in themes for name, f in theme.scenarios.items() if name.startswith(only)]
    admin = Admin(admin_url)
    client = pulsar.Client(service_url, logger=QUIET)

    def one(number, name, function):
        context = Context(service_url, admin, client, f"{prefix}-{number}-t")
        start = time.monotonic()
        try:
            function(context)
        except Exception as e:
            traceback.print_exc()
            context.say("ended by", failure(e))
        try:
            context.end()
        except Exception as e:
            traceback.print_exc()
            context.say("closing it", failure(e))
        if time.monotonic() - start > 3:
            print(f"{name} took {time.monotonic() - start:.1f} s", file=sys.stderr)
        return context.lines

    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as threads:
        running = [threads.submit(one, number, *named) for number, named in enumerate(chosen)]
        for (name, _), lines in zip(chosen, running):
            print(f"= {name}")
            for key, value in lines.result().items():
                print(f"{key}: {value}".rstrip())
            print(flush=True)
    client.close()
