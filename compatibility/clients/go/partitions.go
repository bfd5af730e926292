package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/apache/pulsar-client-go/pulsaradmin/pkg/utils"
)

const count = 3

// Partitioned topics with the Go client.
func partitions() *theme {
	t := newTheme("go-partitions")
	t.add("names", func(s *scenario) {
		names, err := s.client.TopicPartitions(s.partitioned("t", count))
		s.call("partitions", names, err)
		names, err = s.client.TopicPartitions(s.topic("plain"))
		s.call("of a plain one", names, err)
	})
	for _, name := range typeNames {
		addPartitions(t, name, types[name])
	}
	t.add("routing.by-key", func(s *scenario) {
		producer := s.producer(s.partitioned("t", count))
		used := map[string]string{}
		for i := 0; i < 30; i++ {
			key := fmt.Sprint("k", i%5)
			used[key] = fmt.Sprint(send(producer, &pulsar.ProducerMessage{Payload: []byte("x"), Key: key}).PartitionIdx())
		}
		s.say("partitions of keys", used)
	})
	t.add("routing.by-key-murmur", func(s *scenario) {
		producer := s.producer(s.partitioned("t", count), func(o *pulsar.ProducerOptions) { o.HashingScheme = pulsar.Murmur3_32Hash })
		used := map[string]string{}
		for _, key := range []string{"a", "b", "c", "d"} {
			used[key] = fmt.Sprint(send(producer, &pulsar.ProducerMessage{Payload: []byte("x"), Key: key}).PartitionIdx())
		}
		s.say("partitions of keys", used)
	})
	t.add("routing.own", func(s *scenario) {
		producer := s.producer(s.partitioned("t", count), func(o *pulsar.ProducerOptions) {
			o.MessageRouter = func(_ *pulsar.ProducerMessage, topic pulsar.TopicMetadata) int { return int(topic.NumPartitions()) - 1 }
		})
		s.say("partition", send(producer, &pulsar.ProducerMessage{Payload: []byte("x")}).PartitionIdx())
	})
	t.add("grows", func(s *scenario) {
		topic := s.partitioned("t", count)
		consumer := s.consumer(topic, func(o *pulsar.ConsumerOptions) { o.AutoDiscoveryPeriod = 200 * time.Millisecond })
		producer := s.producer(topic, func(o *pulsar.ProducerOptions) { o.PartitionsAutoDiscoveryInterval = 200 * time.Millisecond })
		send(producer, &pulsar.ProducerMessage{Payload: []byte("before"), Key: "k"})
		s.say("before", take(consumer, 1))
		s.run("grow", s.admin.Topics().Update(s.topicName("t"), 5))
		s.await("both know", func() bool {
			used := map[int32]bool{}
			for i := 0; i < 50; i++ {
				used[send(producer, &pulsar.ProducerMessage{Payload: []byte("x"), Key: fmt.Sprint("key ", i)}).PartitionIdx()] = true
			}
			seen := map[int32]bool{}
			for i := 0; i < 50; i++ {
				message := receive(consumer, patience)
				seen[message.ID().PartitionIdx()] = true
				must(consumer.Ack(message))
			}
			return len(used) == 5 && len(seen) == 5
		})
	})
	t.add("last-ids", func(s *scenario) {
		consumer := s.consumer(s.partitioned("t", count))
		last, err := consumer.GetLastMessageIDs()
		s.call("count", len(last), err)
	})
	t.add("producer.exclusive", func(s *scenario) {
		topic := s.partitioned("t", count)
		exclusive := func(o *pulsar.ProducerOptions) { o.ProducerAccessMode = pulsar.ProducerAccessModeExclusive }
		s.producer(topic, exclusive)
		_, err := s.newProducer(topic, exclusive)
		s.run("another", err)
	})
	t.add("made-on-use", func(s *scenario) {
		two := 2
		s.run("policy", s.admin.Namespaces().SetTopicAutoCreation(s.namespaceName(), utils.TopicAutoCreationConfig{
			Allow: true, Type: utils.Partitioned, Partitions: &two,
		}))
		s.producer(s.topic("t"))
		names, err := s.client.TopicPartitions(s.topic("t"))
		s.call("partitions", names, err)
	})
	t.add("not-made-on-use", func(s *scenario) {
		s.say("policy", s.send("POST", "namespaces/"+s.namespace()+"/autoTopicCreation", map[string]bool{"allowAutoTopicCreation": false}))
		_, err := s.newProducer(s.topic("t"))
		s.run("producer", err)
		_, err = s.newConsumer(s.topic("t"))
		s.run("consumer", err)
	})
	t.add("pattern", func(s *scenario) {
		topic := s.partitioned("order", count)
		consumer := s.consumer("", func(o *pulsar.ConsumerOptions) {
			o.TopicsPattern = "persistent://" + s.namespace() + "/order.*"
			o.AutoDiscoveryPeriod = time.Second
		})
		s.publish(topic, strings.Split("abcdef", "")...)
		s.say("received", sorted(take(consumer, 6)))
	})
	return t
}

func addPartitions(t *theme, name string, kind pulsar.SubscriptionType) {
	t.add(name+".all-come", func(s *scenario) {
		topic := s.partitioned("t", count)
		consumer := s.consumer(topic, ofType(kind))
		producer := s.producer(topic)
		for i := 0; i < 6; i++ {
			send(producer, &pulsar.ProducerMessage{Payload: []byte(fmt.Sprint(i)), Key: fmt.Sprint(i)})
		}
		s.say("received", sorted(take(consumer, 6)))
	})
	t.add(name+".seek", func(s *scenario) {
		topic := s.partitioned("t", count)
		consumer := s.consumer(topic, ofType(kind))
		s.publish(topic, "a", "b", "c")
		s.say("received", sorted(take(consumer, 3)))
		s.run("seek by time", consumer.SeekByTime(time.Now().Add(-time.Hour)))
		s.say("again", sorted(take(consumer, 3)))
	})
}
