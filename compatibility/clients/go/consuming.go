package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
)

type consumerOption = func(*pulsar.ConsumerOptions)

var typeNames = []string{"exclusive", "failover", "shared", "key-shared"}

var types = map[string]pulsar.SubscriptionType{
	"exclusive": pulsar.Exclusive, "failover": pulsar.Failover, "shared": pulsar.Shared, "key-shared": pulsar.KeyShared,
}

func ofType(kind pulsar.SubscriptionType) consumerOption {
	return func(o *pulsar.ConsumerOptions) { o.Type = kind }
}

// What the Go client consumes: subscription types, acknowledgements, redelivery, dead letters, retries, patterns, several topics.
func consuming() *theme {
	t := newTheme("go-consumers")
	for _, name := range typeNames {
		addType(t, name, types[name])
	}
	t.add("shared.two-share", func(s *scenario) {
		some := []pulsar.Consumer{}
		for i := 0; i < 2; i++ {
			some = append(some, s.consumer(s.topic("t"), ofType(pulsar.Shared), func(o *pulsar.ConsumerOptions) { o.ReceiverQueueSize = 1 }))
		}
		s.publish(s.topic("t"), strings.Split("abcdef", "")...)
		received := []string{}
		for i := 0; i < 6; i++ {
			received = append(received, take(some[i%2], 1)...)
		}
		s.say("received", sorted(received))
	})
	t.add("key-shared.keys-stay", keysStay)
	t.add("key-shared.sticky", sticky)
	t.add("failover.takes-over", takesOver)
	t.add("zero-queue", func(s *scenario) {
		consumer := s.consumer(s.topic("t"), func(o *pulsar.ConsumerOptions) { o.EnableZeroQueueConsumer = true })
		s.publish(s.topic("t"), "a", "b")
		s.say("received", take(consumer, 2))
	})
	t.add("ack-with-response", func(s *scenario) {
		consumer := s.consumer(s.topic("t"), func(o *pulsar.ConsumerOptions) { o.AckWithResponse = true })
		s.publish(s.topic("t"), "a", "b", "c")
		s.run("one", consumer.Ack(receive(consumer, patience)))
		receive(consumer, patience)
		s.run("cumulative", consumer.AckCumulative(receive(consumer, patience)))
		consumer.Close()
		s.say("nothing more", receive(s.consumer(s.topic("t")), quiet) == nil)
	})
	t.add("ack-list", func(s *scenario) {
		consumer := s.consumer(s.topic("t"), ofType(pulsar.Shared), func(o *pulsar.ConsumerOptions) { o.AckWithResponse = true })
		s.publish(s.topic("t"), "a", "b", "c")
		ids := []pulsar.MessageID{}
		for i := 0; i < 3; i++ {
			ids = append(ids, receive(consumer, patience).ID())
		}
		s.run("acknowledge", consumer.AckIDList(ids[:2]))
		consumer.Close()
		s.say("then", take(s.consumer(s.topic("t"), ofType(pulsar.Shared)), 1))
	})
	t.add("batch-index", func(s *scenario) {
		index := func(o *pulsar.ConsumerOptions) { o.EnableBatchIndexAcknowledgment = true; o.AckWithResponse = true }
		consumer := s.consumer(s.topic("t"), ofType(pulsar.Shared), index)
		sendBatch(s.producer(s.topic("t"), batching), 4, "")
		for i := 0; i < 4; i++ {
			message := receive(consumer, patience)
			if i%2 == 1 {
				must(consumer.Ack(message))
			}
		}
		consumer.Close()
		again := s.consumer(s.topic("t"), ofType(pulsar.Shared), index)
		s.say("then", take(again, 2))
		s.say("nothing more", receive(again, quiet) == nil)
	})
	addLetters(t)
	addSeveral(t)
	t.add("latest", func(s *scenario) {
		s.publish(s.topic("t"), "before")
		consumer := s.consumer(s.topic("t"), func(o *pulsar.ConsumerOptions) {
			o.SubscriptionInitialPosition = pulsar.SubscriptionPositionLatest
		})
		s.publish(s.topic("t"), "after")
		s.say("received", take(consumer, 1))
	})
	t.add("not-durable", func(s *scenario) {
		s.publish(s.topic("t"), "a")
		consumer := s.consumer(s.topic("t"), func(o *pulsar.ConsumerOptions) { o.SubscriptionMode = pulsar.NonDurable })
		s.say("received", take(consumer, 1))
		consumer.Close()
		s.await("gone", func() bool {
			all, err := s.admin.Subscriptions().List(s.topicName("t"))
			return err == nil && len(all) == 0
		})
	})
	t.add("last-message-ids", func(s *scenario) {
		consumer := s.consumer(s.topic("t"))
		s.say("sent", s.ids(s.publish(s.topic("t"), "a", "b")))
		last, err := consumer.GetLastMessageIDs()
		must(err)
		s.say("count", len(last))
		s.say("last", s.id(last[0]))
		s.say("topic", last[0].Topic())
	})
	t.add("subscription-properties", func(s *scenario) {
		s.consumer(s.topic("t"), func(o *pulsar.ConsumerOptions) { o.SubscriptionProperties = map[string]string{"a": "1"} })
		stats, err := s.admin.Topics().GetStats(s.topicName("t"))
		must(err)
		s.say("subscriptions", len(stats.Subscriptions))
	})
	t.add("unsubscribe-by-force", func(s *scenario) {
		first := s.consumer(s.topic("t"), ofType(pulsar.Shared))
		s.consumer(s.topic("t"), ofType(pulsar.Shared))
		s.run("unsubscribe", first.Unsubscribe())
		s.run("by force", first.UnsubscribeForce())
	})
	return t
}

func takesOver(s *scenario) {
	some := []pulsar.Consumer{}
	for i := 0; i < 2; i++ {
		some = append(some, s.consumer(s.topic("t"), ofType(pulsar.Failover), func(o *pulsar.ConsumerOptions) { o.AckWithResponse = true }))
	}
	s.publish(s.topic("t"), "one")
	active := -1
	s.await("one is active", func() bool {
		for i, one := range some {
			if message := receive(one, 50*time.Millisecond); message != nil {
				must(one.Ack(message))
				active = i
			}
		}
		return active >= 0
	})
	some[active].Close()
	s.publish(s.topic("t"), "two")
	s.say("the other", take(some[1-active], 1))
}

func addType(t *theme, name string, kind pulsar.SubscriptionType) {
	t.add(name+".in-order", func(s *scenario) {
		consumer := s.consumer(s.topic("t"), ofType(kind))
		s.publish(s.topic("t"), "a", "b", "c")
		s.say("received", take(consumer, 3))
	})
	t.add(name+".unacknowledged-come-again", func(s *scenario) {
		consumer := s.consumer(s.topic("t"), ofType(kind), func(o *pulsar.ConsumerOptions) { o.AckWithResponse = true })
		s.publish(s.topic("t"), "a", "b", "c")
		first := receive(consumer, patience)
		s.say("received", []string{payload(first), payload(receive(consumer, patience)), payload(receive(consumer, patience))})
		must(consumer.Ack(first))
		consumer.Close()
		s.say("then", take(s.consumer(s.topic("t"), ofType(kind)), 2))
	})
	t.add(name+".a-second-consumer", func(s *scenario) {
		s.consumer(s.topic("t"), ofType(kind))
		_, err := s.newConsumer(s.topic("t"), ofType(kind))
		s.run("second", err)
		for _, other := range typeNames {
			if other != name {
				_, err := s.newConsumer(s.topic("t"), ofType(types[other]))
				s.run("as "+other, err)
			}
		}
	})
	t.add(name+".negative", func(s *scenario) {
		consumer := s.consumer(s.topic("t"), ofType(kind), func(o *pulsar.ConsumerOptions) {
			o.NackRedeliveryDelay = 100 * time.Millisecond
		})
		s.publish(s.topic("t"), "a")
		consumer.Nack(receive(consumer, patience))
		message := receive(consumer, patience)
		s.say("again", payload(message))
		if kind == pulsar.Shared || kind == pulsar.KeyShared {
			s.say("redeliveries", message.RedeliveryCount())
		}
	})
	t.add(name+".cumulative", func(s *scenario) {
		consumer := s.consumer(s.topic("t"), ofType(kind), func(o *pulsar.ConsumerOptions) { o.AckWithResponse = true })
		s.publish(s.topic("t"), "a", "b", "c")
		receive(consumer, patience)
		s.run("acknowledge", consumer.AckCumulative(receive(consumer, patience)))
		s.say("rest", take(consumer, 1))
	})
	t.add(name+".unsubscribe", func(s *scenario) {
		consumer := s.consumer(s.topic("t"), ofType(kind))
		s.publish(s.topic("t"), "a")
		s.run("unsubscribe", consumer.Unsubscribe())
		all, err := s.admin.Subscriptions().List(s.topicName("t"))
		s.call("subscriptions", all, err)
	})
}

// Takes messages from several consumers in turn until so many have come; which consumers had each key.
func owners(some []pulsar.Consumer, count int) map[string]string {
	whose := map[string]map[int]bool{}
	end := time.Now().Add(patience)
	for received := 0; received < count && time.Now().Before(end); {
		for i, consumer := range some {
			if message := receive(consumer, 50*time.Millisecond); message != nil {
				received++
				if whose[message.Key()] == nil {
					whose[message.Key()] = map[int]bool{}
				}
				whose[message.Key()][i] = true
			}
		}
	}
	counts := map[string]string{}
	for key, all := range whose {
		counts[key] = fmt.Sprint(len(all))
	}
	return counts
}

func keysStay(s *scenario) {
	some := []pulsar.Consumer{s.consumer(s.topic("t"), ofType(pulsar.KeyShared)), s.consumer(s.topic("t"), ofType(pulsar.KeyShared))}
	producer := s.producer(s.topic("t"))
	for i := 0; i < 40; i++ {
		send(producer, &pulsar.ProducerMessage{Payload: []byte("x"), Key: fmt.Sprint("k", i%8)})
	}
	s.say("owners of each key", owners(some, 40))
}

func sticky(s *scenario) {
	ranges := func(all ...int) consumerOption {
		policy, err := pulsar.NewKeySharedPolicySticky(all)
		must(err)
		return func(o *pulsar.ConsumerOptions) { o.KeySharedPolicy = policy }
	}
	s.consumer(s.topic("t"), ofType(pulsar.KeyShared), ranges(0, 40000))
	_, err := s.newConsumer(s.topic("t"), ofType(pulsar.KeyShared), ranges(30000, 65535))
	s.run("overlaps", err)
	_, err = s.newConsumer(s.topic("t"), ofType(pulsar.KeyShared), ranges(40001, 65535))
	s.run("rest", err)
}

func addLetters(t *theme) {
	t.add("dead-letters", func(s *scenario) {
		dead := s.consumer(s.topic("dead"))
		consumer := s.consumer(s.topic("t"), ofType(pulsar.Shared), func(o *pulsar.ConsumerOptions) {
			o.NackRedeliveryDelay = 100 * time.Millisecond
			o.DLQ = &pulsar.DLQPolicy{MaxDeliveries: 2, DeadLetterTopic: s.topic("dead")}
		})
		s.publish(s.topic("t"), "a")
		for i := 0; i < 2; i++ {
			consumer.Nack(receive(consumer, patience))
		}
		message := receive(dead, patience)
		s.say("dead", payload(message))
		s.say("key", message.Key())
		s.say("origin", message.Properties()["REAL_TOPIC"])
	})
	t.add("dead-letters-with-a-first-subscription", func(s *scenario) {
		consumer := s.consumer(s.topic("t"), ofType(pulsar.Shared), func(o *pulsar.ConsumerOptions) {
			o.NackRedeliveryDelay = 100 * time.Millisecond
			o.DLQ = &pulsar.DLQPolicy{MaxDeliveries: 1, DeadLetterTopic: s.topic("dead"), InitialSubscriptionName: "first"}
		})
		s.publish(s.topic("t"), "a")
		consumer.Nack(receive(consumer, patience))
		s.await("subscribed", func() bool {
			all, err := s.admin.Subscriptions().List(s.topicName("dead"))
			return err == nil && text(all) == "[first]"
		})
		s.say("dead", take(s.consumer(s.topic("dead"), func(o *pulsar.ConsumerOptions) { o.SubscriptionName = "first" }), 1))
	})
	t.add("retries", func(s *scenario) {
		dead := s.consumer(s.topic("dead"))
		consumer := s.consumer(s.topic("t"), ofType(pulsar.Shared), func(o *pulsar.ConsumerOptions) {
			o.RetryEnable = true
			o.DLQ = &pulsar.DLQPolicy{MaxDeliveries: 2, DeadLetterTopic: s.topic("dead"), RetryLetterTopic: s.topic("retry")}
		})
		s.publish(s.topic("t"), "a")
		for i := 0; i < 3; i++ {
			message := receive(consumer, patience)
			s.say("received", payload(message))
			s.say("reconsumed", message.Properties()["RECONSUMETIMES"])
			s.say("topic", message.Topic())
			consumer.ReconsumeLater(message, 100*time.Millisecond)
		}
		s.say("dead", take(dead, 1))
	})
	t.add("retries-with-properties", func(s *scenario) {
		consumer := s.consumer(s.topic("t"), ofType(pulsar.Shared), func(o *pulsar.ConsumerOptions) { o.RetryEnable = true })
		s.publish(s.topic("t"), "a")
		consumer.ReconsumeLaterWithCustomProperties(receive(consumer, patience), map[string]string{"why": "x"}, 100*time.Millisecond)
		message := receive(consumer, patience)
		s.say("again", payload(message))
		s.say("why", message.Properties()["why"])
	})
}

func addSeveral(t *theme) {
	t.add("several-topics", func(s *scenario) {
		consumer := s.consumer("", func(o *pulsar.ConsumerOptions) { o.Topics = []string{s.topic("a"), s.topic("b")} })
		s.publish(s.topic("a"), "a")
		s.publish(s.topic("b"), "b")
		s.say("received", sorted(take(consumer, 2)))
	})
	t.add("pattern", func(s *scenario) {
		s.publish(s.topic("order-1"), "one")
		s.publish(s.topic("other"), "other")
		consumer := s.consumer("", func(o *pulsar.ConsumerOptions) {
			o.TopicsPattern = "persistent://" + s.namespace() + "/order-.*"
			o.AutoDiscoveryPeriod = time.Second
		})
		s.say("received", take(consumer, 1))
		s.publish(s.topic("order-2"), "two")
		s.say("of a new one", take(consumer, 1))
		s.say("nothing else", receive(consumer, quiet) == nil)
	})
	t.add("channel", func(s *scenario) {
		consumer := s.consumer(s.topic("t"))
		s.publish(s.topic("t"), "a", "b")
		texts := []string{}
		for i := 0; i < 2; i++ {
			ctx, cancel := context.WithTimeout(context.Background(), patience)
			select {
			case message := <-consumer.Chan():
				texts = append(texts, payload(message.Message))
			case <-ctx.Done():
				texts = append(texts, "nothing")
			}
			cancel()
		}
		s.say("received", texts)
	})
}
