package main

import (
	"bytes"
	"context"
	"sync"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
)

type producerOption = func(*pulsar.ProducerOptions)

func batching(options *pulsar.ProducerOptions) {
	options.DisableBatching = false
	options.BatchingMaxPublishDelay = 2 * time.Second
}

// What the Go client publishes: keys, properties, times, batches, chunks, compression, access modes, names.
func producing() *theme {
	t := newTheme("go-producers")
	t.add("everything-of-a-message", everything)
	t.add("ids", func(s *scenario) { s.say("sent", s.ids(s.publish(s.topic("t"), "a", "b", "c"))) })
	t.add("sequence-ids", sequenceIDs)
	t.add("names-are-unique", func(s *scenario) {
		name := func(o *pulsar.ProducerOptions) { o.Name = "p" }
		s.say("name", s.producer(s.topic("t"), name).Name())
		_, err := s.newProducer(s.topic("t"), name)
		s.run("another of that name", err)
	})
	addCompression(t, "none", pulsar.NoCompression)
	addCompression(t, "lz4", pulsar.LZ4)
	addCompression(t, "zlib", pulsar.ZLib)
	addCompression(t, "zstd", pulsar.ZSTD)
	addCompression(t, "snappy", pulsar.SNAPPY)
	t.add("batch", batch)
	t.add("batches-by-key", batchesByKey)
	t.add("chunks", chunks)
	t.add("too-large", func(s *scenario) {
		_, err := s.producer(s.topic("t")).Send(context.Background(), &pulsar.ProducerMessage{Payload: make([]byte, 6<<20)})
		s.run("send", err)
	})
	t.add("delayed", func(s *scenario) {
		s.say("received", soonAndLate(s, pulsar.Shared, 2*time.Second, 2))
	})
	t.add("delayed-for-exclusive", func(s *scenario) {
		s.say("received", soonAndLate(s, pulsar.Exclusive, time.Minute, 2))
	})
	t.add("delayed-to-a-time", func(s *scenario) {
		consumer := s.consumer(s.topic("t"), func(o *pulsar.ConsumerOptions) { o.Type = pulsar.Shared })
		producer := s.producer(s.topic("t"))
		send(producer, &pulsar.ProducerMessage{Payload: []byte("late"), DeliverAt: time.Now().Add(2 * time.Second)})
		send(producer, &pulsar.ProducerMessage{Payload: []byte("soon")})
		s.say("received", take(consumer, 2))
	})
	addAccess(t)
	t.add("deduplication", func(s *scenario) {
		must(s.admin.Namespaces().SetDeduplicationStatus(s.namespace(), true))
		producer := s.producer(s.topic("t"), func(o *pulsar.ProducerOptions) { o.Name = "p" })
		for _, id := range []int64{1, 2} {
			send(producer, &pulsar.ProducerMessage{Payload: []byte{byte('0' + id)}, SequenceID: &id})
		}
		s.say("received", take(s.consumer(s.topic("t")), 2))
	})
	t.add("closed", func(s *scenario) {
		producer := s.producer(s.topic("t"))
		producer.Close()
		_, err := producer.Send(context.Background(), &pulsar.ProducerMessage{Payload: []byte("a")})
		s.run("send", err)
	})
	t.add("terminated", terminated)
	t.add("no-such-namespace", func(s *scenario) {
		topic := "persistent://" + s.namespace() + "-not/t"
		_, err := s.newProducer(topic)
		s.run("producer", err)
		_, err = s.newConsumer(topic)
		s.run("consumer", err)
	})
	t.add("non-persistent", func(s *scenario) {
		topic := "non-persistent://" + s.namespace() + "/t"
		consumer := s.consumer(topic)
		s.publish(topic, "a")
		s.say("received", take(consumer, 1))
	})
	t.add("transaction", func(s *scenario) {
		client, err := pulsar.NewClient(pulsar.ClientOptions{
			URL: s.serviceURL, Logger: quietLogger(), EnableTransaction: true, OperationTimeout: 3 * time.Second,
		})
		if err == nil {
			_, err = client.NewTransaction(time.Minute)
			client.Close()
		}
		s.say("refused", err != nil)
	})
	return t
}

func send(producer pulsar.Producer, message *pulsar.ProducerMessage) pulsar.MessageID {
	id, err := producer.Send(context.Background(), message)
	must(err)
	return id
}

func everything(s *scenario) {
	consumer := s.consumer(s.topic("t"))
	id := int64(7)
	producer := s.producer(s.topic("t"))
	send(producer, &pulsar.ProducerMessage{
		Payload: []byte("one"), Key: "k", OrderingKey: "o", Properties: map[string]string{"a": "1", "b": ""},
		EventTime: time.UnixMilli(12345), SequenceID: &id,
	})
	s.say("last sequence id", producer.LastSequenceID())
	message := receive(consumer, patience)
	s.say("payload", payload(message))
	s.say("key", message.Key())
	s.say("ordering key", message.OrderingKey())
	s.say("properties", message.Properties())
	s.say("event time", message.EventTime().UnixMilli())
	s.say("redeliveries", message.RedeliveryCount())
	s.say("topic", message.Topic())
	s.say("schema version", len(message.SchemaVersion()))
	s.say("replicated", message.IsReplicated())
}

func sequenceIDs(s *scenario) {
	producer := s.producer(s.topic("t"), func(o *pulsar.ProducerOptions) { o.Name = "p" })
	s.say("before", producer.LastSequenceID())
	send(producer, &pulsar.ProducerMessage{Payload: []byte("a")})
	s.say("then", producer.LastSequenceID())
	id := int64(20)
	send(producer, &pulsar.ProducerMessage{Payload: []byte("b"), SequenceID: &id})
	s.say("after 20", producer.LastSequenceID())
}

func addCompression(t *theme, name string, kind pulsar.CompressionType) {
	of := func(o *pulsar.ProducerOptions) { o.CompressionType = kind }
	t.add("compression."+name, func(s *scenario) {
		consumer := s.consumer(s.topic("t"))
		send(s.producer(s.topic("t"), of), &pulsar.ProducerMessage{Payload: bytes.Repeat([]byte("x"), 10_000)})
		s.say("bytes", len(receive(consumer, patience).Payload()))
	})
	t.add("compression-of-batches."+name, func(s *scenario) {
		consumer := s.consumer(s.topic("t"))
		sendBatch(s.producer(s.topic("t"), batching, of), 5, "")
		s.say("received", take(consumer, 5))
	})
}

// Sends that are one batch; their ids.
func sendBatch(producer pulsar.Producer, count int, key string) []pulsar.MessageID {
	ids := make([]pulsar.MessageID, count)
	done := sync.WaitGroup{}
	for i := 0; i < count; i++ {
		done.Add(1)
		message := &pulsar.ProducerMessage{Payload: []byte{byte('0' + i)}, Key: key}
		producer.SendAsync(context.Background(), message, func(id pulsar.MessageID, _ *pulsar.ProducerMessage, err error) {
			if err == nil {
				ids[i] = id
			}
			done.Done()
		})
	}
	must(producer.Flush())
	done.Wait()
	return ids
}

func batch(s *scenario) {
	consumer := s.consumer(s.topic("t"))
	s.say("sent", s.ids(sendBatch(s.producer(s.topic("t"), batching), 4, "")))
	received := []pulsar.Message{}
	ids := []pulsar.MessageID{}
	for i := 0; i < 4; i++ {
		received = append(received, receive(consumer, patience))
		ids = append(ids, received[i].ID())
	}
	s.say("received", s.ids(ids))
	for _, one := range received {
		must(consumer.Ack(one))
	}
	consumer.Close()
	s.say("nothing more", receive(s.consumer(s.topic("t")), quiet) == nil)
}

func batchesByKey(s *scenario) {
	consumer := s.consumer(s.topic("t"), func(o *pulsar.ConsumerOptions) { o.Type = pulsar.KeyShared })
	producer := s.producer(s.topic("t"), batching, func(o *pulsar.ProducerOptions) {
		o.BatcherBuilderType = pulsar.KeyBasedBatchBuilder
	})
	for i := 0; i < 6; i++ {
		message := &pulsar.ProducerMessage{Payload: []byte{byte('0' + i)}, Key: []string{"a", "b"}[i%2]}
		producer.SendAsync(context.Background(), message, func(pulsar.MessageID, *pulsar.ProducerMessage, error) {})
	}
	must(producer.Flush())
	keys := map[string]string{}
	for i := 0; i < 6; i++ {
		message := receive(consumer, patience)
		keys[message.Key()] += payload(message)
	}
	s.say("received", keys)
}

func chunks(s *scenario) {
	consumer := s.consumer(s.topic("t"))
	large := bytes.Repeat([]byte("c"), 1000)
	small := s.producer(s.topic("t"), func(o *pulsar.ProducerOptions) {
		o.EnableChunking = true
		o.ChunkMaxMessageSize = 100
	})
	send(small, &pulsar.ProducerMessage{Payload: large})
	message := receive(consumer, patience)
	s.say("whole", bytes.Equal(message.Payload(), large))
	must(consumer.Ack(message))
	must(consumer.Seek(message.ID()))
	s.say("after a seek", len(receive(consumer, patience).Payload()))
}

func soonAndLate(s *scenario, kind pulsar.SubscriptionType, delay time.Duration, count int) []string {
	consumer := s.consumer(s.topic("t"), func(o *pulsar.ConsumerOptions) { o.Type = kind })
	producer := s.producer(s.topic("t"))
	send(producer, &pulsar.ProducerMessage{Payload: []byte("late"), DeliverAfter: delay})
	send(producer, &pulsar.ProducerMessage{Payload: []byte("soon")})
	return take(consumer, count)
}

func addAccess(t *theme) {
	exclusive := func(o *pulsar.ProducerOptions) { o.ProducerAccessMode = pulsar.ProducerAccessModeExclusive }
	waits := func(o *pulsar.ProducerOptions) { o.ProducerAccessMode = pulsar.ProducerAccessModeWaitForExclusive }
	t.add("access.exclusive", func(s *scenario) {
		send(s.producer(s.topic("t"), exclusive), &pulsar.ProducerMessage{Payload: []byte("a")})
		_, err := s.newProducer(s.topic("t"), exclusive)
		s.run("another", err)
		_, err = s.newProducer(s.topic("t"))
		s.run("a shared one", err)
	})
	t.add("access.beside-shared", func(s *scenario) {
		s.producer(s.topic("t"))
		_, err := s.newProducer(s.topic("t"), exclusive)
		s.run("exclusive", err)
	})
	t.add("access.wait-for-exclusive", func(s *scenario) {
		first := s.producer(s.topic("t"), exclusive)
		topic := s.topic("t")
		second := make(chan error, 1)
		go func() {
			producer, err := s.client.CreateProducer(pulsar.ProducerOptions{
				Topic: topic, DisableBatching: true, ProducerAccessMode: pulsar.ProducerAccessModeWaitForExclusive,
			})
			if err == nil {
				_, err = producer.Send(context.Background(), &pulsar.ProducerMessage{Payload: []byte("b")})
				producer.Close()
			}
			second <- err
		}()
		select {
		case err := <-second:
			s.run("did not wait", err)
			return
		case <-time.After(time.Second):
			s.say("waits", true)
		}
		first.Close()
		s.run("then", <-second)
	})
	t.add("access.wait-alone", func(s *scenario) {
		_, err := s.newProducer(s.topic("t"), waits)
		s.run("producer", err)
	})
}

func terminated(s *scenario) {
	producer := s.producer(s.topic("t"))
	send(producer, &pulsar.ProducerMessage{Payload: []byte("a")})
	_, err := s.admin.Topics().Terminate(s.topicName("t"))
	s.run("terminate", err)
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	_, err = producer.Send(ctx, &pulsar.ProducerMessage{Payload: []byte("b")})
	s.say("send fails", err != nil)
	_, err = s.newProducer(s.topic("t"))
	s.run("another producer", err)
}
