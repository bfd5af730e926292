package main

import (
	"reflect"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
)

func from(id pulsar.MessageID, inclusive bool) func(*pulsar.ReaderOptions) {
	return func(o *pulsar.ReaderOptions) {
		o.StartMessageID = id
		o.StartMessageIDInclusive = inclusive
	}
}

// The texts that a reader has until it says that there are no more.
func readAll(reader pulsar.Reader) []string {
	texts := []string{}
	for reader.HasNext() {
		message := next(reader)
		texts = append(texts, payload(message))
		if message == nil {
			break
		}
	}
	return texts
}

// Readers, seeks and table views of the Go client.
func places() *theme {
	t := newTheme("go-places")
	t.add("reader.earliest", func(s *scenario) {
		s.publish(s.topic("t"), "a", "b")
		s.say("read", readAll(s.reader(s.topic("t"))))
	})
	t.add("reader.latest", func(s *scenario) {
		s.publish(s.topic("t"), "a")
		reader := s.reader(s.topic("t"), from(pulsar.LatestMessageID(), false))
		s.say("before", reader.HasNext())
		s.publish(s.topic("t"), "b")
		s.say("then", payload(next(reader)))
	})
	t.add("reader.latest-with-it", func(s *scenario) {
		s.publish(s.topic("t"), "a", "b")
		s.say("read", readAll(s.reader(s.topic("t"), from(pulsar.LatestMessageID(), true))))
	})
	t.add("reader.from-an-id", func(s *scenario) {
		ids := s.publish(s.topic("t"), "a", "b", "c")
		s.say("after it", readAll(s.reader(s.topic("t"), from(ids[0], false))))
		s.say("with it", readAll(s.reader(s.topic("t"), from(ids[0], true))))
		s.say("after the last", readAll(s.reader(s.topic("t"), from(ids[2], false))))
	})
	t.add("reader.from-an-id-within-a-batch", func(s *scenario) {
		ids := sendBatch(s.producer(s.topic("t"), batching), 4, "")
		s.say("ids", s.ids(ids))
		s.say("after it", readAll(s.reader(s.topic("t"), from(ids[1], false))))
		s.say("with it", readAll(s.reader(s.topic("t"), from(ids[1], true))))
	})
	t.add("reader.from-a-stored-id", func(s *scenario) {
		ids := s.publish(s.topic("t"), "a", "b")
		again, err := pulsar.DeserializeMessageID(ids[0].Serialize())
		must(err)
		s.say("after it", readAll(s.reader(s.topic("t"), from(again, false))))
	})
	t.add("reader.empty-topic", func(s *scenario) {
		s.producer(s.topic("t"))
		s.say("earliest", s.reader(s.topic("t")).HasNext())
		s.say("latest", s.reader(s.topic("t"), from(pulsar.LatestMessageID(), false)).HasNext())
	})
	t.add("reader.seeks-by-id", func(s *scenario) {
		ids := s.publish(s.topic("t"), "a", "b", "c")
		reader := s.reader(s.topic("t"))
		s.say("first", readAll(reader))
		s.run("seek", reader.Seek(ids[1]))
	})
	t.add("reader.seeks-by-time", func(s *scenario) {
		s.publish(s.topic("t"), "a", "b")
		reader := s.reader(s.topic("t"))
		readAll(reader)
		s.run("an hour ago", reader.SeekByTime(time.Now().Add(-time.Hour)))
		s.say("then", readAll(reader))
	})
	t.add("reader.last-id", func(s *scenario) {
		s.say("sent", s.ids(s.publish(s.topic("t"), "a", "b")))
		last, err := s.reader(s.topic("t")).GetLastMessageID()
		must(err)
		s.say("last", s.id(last))
	})
	t.add("reader.leaves-no-subscription", func(s *scenario) {
		s.publish(s.topic("t"), "a")
		reader := s.reader(s.topic("t"))
		count := func() int {
			all, err := s.admin.Subscriptions().List(s.topicName("t"))
			must(err)
			return len(all)
		}
		s.say("while it reads", count())
		reader.Close()
		s.await("gone", func() bool { return count() == 0 })
	})
	t.add("reader.named-subscription", func(s *scenario) {
		s.publish(s.topic("t"), "a")
		s.reader(s.topic("t"), func(o *pulsar.ReaderOptions) { o.SubscriptionName = "mine" })
		all, err := s.admin.Subscriptions().List(s.topicName("t"))
		s.call("subscriptions", all, err)
	})
	t.add("reader.partitioned", func(s *scenario) {
		topic := s.partitioned("t", 3)
		_, err := s.newReader(topic)
		s.run("whole", err)
		s.publish(topic+"-partition-1", "a")
		s.say("one of it", readAll(s.reader(topic+"-partition-1")))
	})
	for _, name := range typeNames {
		addSeek(t, name, types[name])
	}
	t.add("view", func(s *scenario) { view(s, s.topic("t")) })
	t.add("view.partitioned", func(s *scenario) { view(s, s.partitioned("t", 3)) })
	return t
}

func addSeek(t *theme, name string, kind pulsar.SubscriptionType) {
	t.add("seek."+name+".by-id", func(s *scenario) {
		consumer := s.consumer(s.topic("t"), ofType(kind))
		ids := s.publish(s.topic("t"), "a", "b", "c")
		s.say("first", take(consumer, 3))
		s.run("seek", consumer.Seek(ids[1]))
		s.say("then", take(consumer, 1))
	})
	t.add("seek."+name+".by-time", func(s *scenario) {
		consumer := s.consumer(s.topic("t"), ofType(kind))
		s.publish(s.topic("t"), "a", "b")
		s.say("first", take(consumer, 2))
		s.run("seek", consumer.SeekByTime(time.Now().Add(-time.Hour)))
		s.say("then", take(consumer, 2))
	})
}

func view(s *scenario, topic string) {
	producer := s.producer(topic, typedProducer(pulsar.NewStringSchema(nil)))
	for _, one := range []string{"a1", "b2", "a3"} {
		send(producer, &pulsar.ProducerMessage{Value: one, Key: one[:1]})
	}
	seen, err := s.client.CreateTableView(pulsar.TableViewOptions{
		Topic: topic, Schema: pulsar.NewStringSchema(nil), SchemaValueType: reflect.TypeOf(pointer("")), Logger: quietLogger(),
	})
	must(err)
	s.closing = append(s.closing, seen.Close)
	value := func(key string) string {
		if found, is := seen.Get(key).(*string); is {
			return *found
		}
		return "none"
	}
	s.await("two keys", func() bool { return seen.Size() == 2 })
	s.await("the last of a key", func() bool { return value("a") == "a3" })
	s.say("none", value("x"))
	s.say("there", seen.ContainsKey("b"))
	send(producer, &pulsar.ProducerMessage{Value: "c4", Key: "c"})
	s.await("three keys", func() bool { return seen.Size() == 3 })
	s.say("keys", sorted(seen.Keys()))
}
