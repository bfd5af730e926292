package main

import (
	"fmt"
	"time"

	"github.com/apache/pulsar-client-go/pulsaradmin/pkg/utils"
)

// The admin client of Go.
func administrating() *theme {
	t := newTheme("go-admin")
	addNamespaces(t)
	addTopics(t)
	addSubscriptions(t)
	addSchemas(t)
	t.add("clusters", func(s *scenario) {
		all, err := s.admin.Clusters().List()
		s.call("list", all, err)
		_, err = s.admin.Clusters().Get("standalone")
		s.run("get", err)
		_, err = s.admin.Clusters().Get("not-there")
		s.run("one that is not there", err)
	})
	t.add("brokers", func(s *scenario) {
		s.run("health", s.admin.Brokers().HealthCheck())
		active, err := s.admin.Brokers().GetActiveBrokers("standalone")
		s.call("active", len(active), err)
		_, err = s.admin.Brokers().GetLeaderBroker()
		s.run("leader", err)
	})
	return t
}

func addNamespaces(t *theme) {
	t.add("tenants", func(s *scenario) {
		name := s.tenant + "-other"
		data := utils.TenantData{Name: name, AllowedClusters: []string{"standalone"}, AdminRoles: []string{"role"}}
		s.run("create", s.admin.Tenants().Create(data))
		s.run("create again", s.admin.Tenants().Create(data))
		got, err := s.admin.Tenants().Get(name)
		s.call("get", got.AdminRoles, err)
		data.AdminRoles = []string{"another"}
		s.run("update", s.admin.Tenants().Update(data))
		s.run("delete", s.admin.Tenants().Delete(name))
		_, err = s.admin.Tenants().Get(name)
		s.run("get a deleted one", err)
	})
	t.add("namespaces", func(s *scenario) {
		name := s.namespace() + "2"
		s.run("create", s.admin.Namespaces().CreateNamespace(name))
		s.run("create again", s.admin.Namespaces().CreateNamespace(name))
		all, err := s.admin.Namespaces().GetNamespaces(s.tenant)
		s.call("list", sorted(all), err)
		topics, err := s.admin.Namespaces().GetTopics(name)
		s.call("topics", topics, err)
		_, err = s.admin.Namespaces().GetPolicies(name)
		s.run("policies", err)
		s.run("delete", s.admin.Namespaces().DeleteNamespace(name))
		s.run("delete again", s.admin.Namespaces().DeleteNamespace(name))
		s.run("unload", s.admin.Namespaces().Unload(s.namespace()))
	})
	t.add("namespace-policies", func(s *scenario) {
		all := s.admin.Namespaces()
		s.run("ttl", all.SetNamespaceMessageTTL(s.namespace(), 100))
		ttl, err := all.GetNamespaceMessageTTL(s.namespace())
		s.call("its ttl", ttl, err)
		s.run("retention", all.SetRetention(s.namespace(), utils.NewRetentionPolicies(10, 20)))
		retention, err := all.GetRetention(s.namespace())
		must(err)
		s.say("its retention", fmt.Sprint(retention.RetentionTimeInMinutes, " ", retention.RetentionSizeInMB))
		s.run("max producers", all.SetMaxProducersPerTopic(s.namespaceName(), 3))
		most, err := all.GetMaxProducersPerTopic(s.namespaceName())
		s.call("its max producers", most, err)
		s.run("schema updates", all.SetIsAllowAutoUpdateSchema(s.namespaceName(), false))
		allowed, err := all.GetIsAllowAutoUpdateSchema(s.namespaceName())
		s.call("its schema updates", allowed, err)
		s.run("validation", all.SetSchemaValidationEnforced(s.namespaceName(), true))
		enforced, err := all.GetSchemaValidationEnforced(s.namespaceName())
		s.call("its validation", enforced, err)
		s.run("strategy", all.SetSchemaCompatibilityStrategy(s.namespaceName(), utils.SchemaCompatibilityStrategyForward))
		strategy, err := all.GetSchemaCompatibilityStrategy(s.namespaceName())
		s.call("its strategy", strategy, err)
		quotas, err := all.GetBacklogQuotaMap(s.namespace())
		s.call("quotas", len(quotas), err)
		s.run("properties", all.UpdateProperties(s.namespaceName(), map[string]string{"a": "1"}))
		properties, err := all.GetProperties(s.namespaceName())
		s.call("its properties", properties, err)
	})
}

func addTopics(t *theme) {
	t.add("topics", func(s *scenario) {
		all := s.admin.Topics()
		s.run("create", all.Create(s.topicName("t"), 0))
		s.run("create again", all.Create(s.topicName("t"), 0))
		s.run("create a partitioned one", all.Create(s.topicName("p"), 3))
		partitioned, plain, err := all.List(s.namespaceName())
		s.call("partitioned", sorted(partitioned), err)
		s.call("all", sorted(plain), err)
		metadata, err := all.GetMetadata(s.topicName("p"))
		s.call("partitions", metadata.Partitions, err)
		s.run("grow", all.Update(s.topicName("p"), 4))
		s.run("shrink", all.Update(s.topicName("p"), 2))
		s.run("unload", all.Unload(s.topicName("t")))
		s.run("delete", all.Delete(s.topicName("t"), false, true))
		s.run("delete again", all.Delete(s.topicName("t"), false, true))
		s.run("delete the partitioned one", all.Delete(s.topicName("p"), false, false))
		_, err = all.Lookup(s.topicName("l"))
		s.run("lookup", err)
	})
	t.add("topics-in-use", func(s *scenario) {
		s.consumer(s.topic("t"))
		s.run("delete", s.admin.Topics().Delete(s.topicName("t"), false, true))
		s.run("by force", s.admin.Topics().Delete(s.topicName("t"), true, true))
	})
	t.add("topic-properties", func(s *scenario) {
		all := s.admin.Topics()
		s.run("create", all.CreateWithProperties(s.topicName("t"), 0, map[string]string{"a": "1"}))
		properties, err := all.GetProperties(s.topicName("t"))
		s.call("properties", properties, err)
		s.run("update", all.UpdateProperties(s.topicName("t"), map[string]string{"b": "2"}))
		s.run("remove", all.RemoveProperty(s.topicName("t"), "a"))
		properties, err = all.GetProperties(s.topicName("t"))
		s.call("then", properties, err)
	})
	t.add("topic-stats", func(s *scenario) {
		consumer := s.consumer(s.topic("t"))
		s.publish(s.topic("t"), "a", "b", "c")
		take(consumer, 1)
		stats, err := s.admin.Topics().GetStats(s.topicName("t"))
		must(err)
		s.say("in", stats.MsgCounterIn)
		s.say("subscriptions", len(stats.Subscriptions))
		s.say("type", stats.Subscriptions["s"].SubType)
		s.say("consumers", len(stats.Subscriptions["s"].Consumers))
		internal, err := s.admin.Topics().GetInternalStats(s.topicName("t"))
		s.call("entries", internal.EntriesAddedCounter, err)
		last, err := s.admin.Topics().GetLastMessageID(s.topicName("t"))
		s.call("last entry", last.EntryID, err)
	})
	t.add("partitioned-stats", func(s *scenario) {
		s.publish(s.partitioned("t", 3), "a", "b", "c")
		stats, err := s.admin.Topics().GetPartitionedStats(s.topicName("t"), true)
		must(err)
		s.say("partitions", len(stats.Partitions))
		in := int64(0)
		for _, one := range stats.Partitions {
			in += one.MsgCounterIn
		}
		s.say("in", in)
	})
	t.add("topic-policies", func(s *scenario) {
		all := s.admin.Topics()
		must(all.Create(s.topicName("t"), 0))
		s.run("ttl", all.SetMessageTTL(s.topicName("t"), 100))
		s.await("its ttl", func() bool { ttl, err := all.GetMessageTTL(s.topicName("t")); return err == nil && ttl == 100 })
		s.run("remove the ttl", all.RemoveMessageTTL(s.topicName("t")))
		s.run("max producers", all.SetMaxProducers(s.topicName("t"), 1))
		s.await("its max producers", func() bool { most, err := all.GetMaxProducers(s.topicName("t")); return err == nil && most == 1 })
		s.producer(s.topic("t"))
		_, err := s.newProducer(s.topic("t"))
		s.run("a second producer", err)
		s.run("retention", all.SetRetention(s.topicName("t"), utils.NewRetentionPolicies(10, 20)))
		s.await("its retention", func() bool {
			retention, err := all.GetRetention(s.topicName("t"), false)
			return err == nil && retention != nil && retention.RetentionTimeInMinutes == 10
		})
	})
	t.add("terminate", func(s *scenario) {
		s.publish(s.topic("t"), "a")
		last, err := s.admin.Topics().Terminate(s.topicName("t"))
		s.call("last entry", last.EntryID, err)
		_, err = s.newProducer(s.topic("t"))
		s.run("producer", err)
	})
}

func addSubscriptions(t *theme) {
	t.add("subscriptions", func(s *scenario) {
		all := s.admin.Subscriptions()
		s.publish(s.topic("t"), "a", "b", "c")
		s.run("create", all.Create(s.topicName("t"), "first", utils.Earliest))
		s.run("create again", all.Create(s.topicName("t"), "first", utils.Earliest))
		s.run("create at the end", all.Create(s.topicName("t"), "last", utils.Latest))
		names, err := all.List(s.topicName("t"))
		s.call("list", sorted(names), err)
		peeked, err := all.PeekMessages(s.topicName("t"), "first", 2)
		must(err)
		for _, one := range peeked {
			s.say("peeked", one.Payload)
		}
		s.run("skip", all.SkipMessages(s.topicName("t"), "first", 1))
		peeked, err = all.PeekMessages(s.topicName("t"), "first", 1)
		must(err)
		s.say("then", peeked[0].Payload)
		s.run("reset by time", all.ResetCursorToTimestamp(s.topicName("t"), "first", time.Now().Add(-time.Hour).UnixMilli()))
		peeked, err = all.PeekMessages(s.topicName("t"), "first", 1)
		must(err)
		s.say("after the reset", peeked[0].Payload)
		s.run("clear", all.ClearBacklog(s.topicName("t"), "first"))
		s.run("expire", all.ExpireMessages(s.topicName("t"), "first", 1))
		s.run("delete", all.Delete(s.topicName("t"), "first"))
		s.run("delete again", all.Delete(s.topicName("t"), "first"))
	})
	t.add("subscriptions-in-use", func(s *scenario) {
		s.consumer(s.topic("t"))
		s.run("delete", s.admin.Subscriptions().Delete(s.topicName("t"), "s"))
		s.run("by force", s.admin.Subscriptions().ForceDelete(s.topicName("t"), "s"))
	})
	t.add("messages", func(s *scenario) {
		ids := s.publish(s.topic("t"), "a")
		found, err := s.admin.Subscriptions().GetMessageByID(s.topicName("t"), ids[0].LedgerID(), ids[0].EntryID())
		must(err)
		s.say("payload", found.Payload)
		batched := sendBatch(s.producer(s.topic("b"), batching), 3, "")
		several, err := s.admin.Subscriptions().GetMessagesByID(s.topicName("b"), batched[0].LedgerID(), batched[0].EntryID())
		s.call("of a batch", len(several), err)
	})
}

func addSchemas(t *theme) {
	t.add("schemas", func(s *scenario) {
		all := s.admin.Schemas()
		first := utils.PostSchemaPayload{SchemaType: "AVRO", Schema: orderDefinition}
		_, err := all.GetSchemaInfo(s.topic("t"))
		s.run("of none", err)
		s.run("create", all.CreateSchemaByPayload(s.topic("t"), first))
		s.run("create another", all.CreateSchemaByPayload(s.topic("t"), utils.PostSchemaPayload{SchemaType: "AVRO", Schema: shippedDefinition}))
		s.run("create what is refused", all.CreateSchemaByPayload(s.topic("t"), utils.PostSchemaPayload{SchemaType: "AVRO", Schema: retypedDefinition}))
		s.run("create what is none", all.CreateSchemaByPayload(s.topic("t"), utils.PostSchemaPayload{SchemaType: "AVRO", Schema: "{"}))
		info, err := all.GetSchemaInfoWithVersion(s.topic("t"))
		must(err)
		s.say("latest", info.Version)
		s.say("its definition", info.SchemaInfo.Schema)
		old, err := all.GetSchemaInfoByVersion(s.topic("t"), 0)
		must(err)
		s.say("version 0", old.Schema)
		_, err = all.GetSchemaInfoByVersion(s.topic("t"), 7)
		s.run("version 7", err)
		every, err := all.GetAllSchemas(s.topic("t"))
		s.call("all", len(every), err)
		number, err := all.GetVersionByPayload(s.topic("t"), first)
		s.call("its number", number, err)
		verdict, err := all.TestCompatibilityWithPostSchemaPayload(s.topic("t"), utils.PostSchemaPayload{
			SchemaType: "AVRO", Schema: retypedDefinition, Properties: map[string]string{},
		})
		must(err)
		s.say("verdict", verdict.IsCompatibility)
		s.say("by", verdict.SchemaCompatibilityStrategy)
		s.run("delete", all.DeleteSchema(s.topic("t")))
		s.run("delete by force", all.ForceDeleteSchema(s.topic("t")))
	})
}
