package main

import (
	"fmt"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/apache/pulsar-client-go/pulsaradmin/pkg/utils"
)

const (
	retypedDefinition = `{"type":"record","name":"Order","namespace":"shop","fields":[` +
		`{"name":"count","type":"string"},{"name":"item","type":["null","string"],"default":null}]}`
	countedDefinition = `{"type":"record","name":"Order","namespace":"shop","fields":[` +
		`{"name":"count","type":"int"},{"name":"item","type":["null","string"],"default":null},{"name":"weight","type":"double"}]}`
)

var kindNames = []string{
	"bytes", "string", "int8", "int16", "int32", "int64", "float", "double", "avro", "json", "protobuf", "protobuf-native",
}

// Schemas of the Go client: what is registered, what is refused, versions in messages, readers and views of types.
func schemas() *theme {
	t := newTheme("go-schemas")
	for _, name := range kindNames {
		addKind(t, name)
	}
	addEvolution(t, "avro", func(definition string) pulsar.Schema { return pulsar.NewAvroSchema(definition, nil) })
	addEvolution(t, "json", func(definition string) pulsar.Schema { return pulsar.NewJSONSchema(definition, nil) })
	t.add("properties", func(s *scenario) {
		s.producer(s.topic("t"), typedProducer(pulsar.NewJSONSchema(orderDefinition, map[string]string{"pulsar": "hello"})))
		info, err := s.admin.Schemas().GetSchemaInfo(s.topic("t"))
		must(err)
		s.say("properties", info.Properties)
	})
	t.add("of-single-messages", func(s *scenario) {
		producer := s.producer(s.topic("t"))
		for _, schema := range []pulsar.Schema{pulsar.NewAvroSchema(orderDefinition, nil), pulsar.NewAvroSchema(shippedDefinition, nil)} {
			send(producer, &pulsar.ProducerMessage{Value: shipped{8, pointer("y"), pointer("z")}, Schema: schema})
		}
		consumer := s.consumer(s.topic("t"), typedConsumer(pulsar.NewAvroSchema(orderDefinition, nil)))
		s.say("first", version(receive(consumer, patience)))
		s.say("second", version(receive(consumer, patience)))
		s.say("versions", versions(s))
	})
	return t
}

func typedProducer(schema pulsar.Schema) producerOption {
	return func(o *pulsar.ProducerOptions) { o.Schema = schema }
}

func typedConsumer(schema pulsar.Schema) consumerOption {
	return func(o *pulsar.ConsumerOptions) { o.Schema = schema }
}

func version(message pulsar.Message) string {
	return fmt.Sprintf("x%x", message.SchemaVersion())
}

func versions(s *scenario) int {
	all, err := s.admin.Schemas().GetAllSchemas(s.topic("t"))
	must(err)
	return len(all)
}

func sendValue(producer pulsar.Producer, value any) {
	send(producer, &pulsar.ProducerMessage{Value: value, Key: "k"})
}

func value(message pulsar.Message, k kind) string {
	place := k.place()
	if err := message.GetSchemaValue(place); err != nil {
		return failure(err)
	}
	return fields(k.told(place))
}

func fields(value any) string {
	switch v := value.(type) {
	case order:
		return fmt.Sprint(v.Count, " ", optional(v.Item))
	case shipped:
		return fmt.Sprint(v.Count, " ", optional(v.Item), " ", optional(v.Street))
	default:
		return fmt.Sprint(value)
	}
}

func optional(text *string) string {
	if text == nil {
		return "null"
	}
	return *text
}

func addKind(t *theme, name string) {
	k := kinds[name]
	t.add(name+".round", func(s *scenario) {
		consumer := s.consumer(s.topic("t"), typedConsumer(k.schema()))
		sendValue(s.producer(s.topic("t"), typedProducer(k.schema())), k.value)
		message := receive(consumer, patience)
		s.say("value", value(message, k))
		s.say("version", version(message))
		info, err := s.admin.Schemas().GetSchemaInfoWithVersion(s.topic("t"))
		if err != nil {
			s.say("registered", failure(err))
			return
		}
		s.say("registered", info.SchemaInfo.Type)
		s.say("its version", info.Version)
		if name != "protobuf-native" {
			s.say("definition", info.SchemaInfo.Schema)
		}
	})
	t.add(name+".the-same-again", func(s *scenario) {
		for i := 0; i < 3; i++ {
			_, err := s.newProducer(s.topic("t"), typedProducer(k.schema()))
			s.run("producer", err)
		}
		_, err := s.newConsumer(s.topic("t"), typedConsumer(k.schema()))
		s.run("consumer", err)
	})
	t.add(name+".where-it-is-a-string", func(s *scenario) {
		s.producer(s.topic("t"), typedProducer(pulsar.NewStringSchema(nil)))
		_, err := s.newProducer(s.topic("t"), typedProducer(k.schema()))
		s.run("producer", err)
		_, err = s.newConsumer(s.topic("t"), typedConsumer(k.schema()))
		s.run("consumer", err)
	})
}

func addEvolution(t *theme, name string, of func(definition string) pulsar.Schema) {
	both := func(s *scenario) {
		sendValue(s.producer(s.topic("t"), typedProducer(of(orderDefinition))), order{1, pointer("a")})
		sendValue(s.producer(s.topic("t"), typedProducer(of(shippedDefinition))), shipped{2, pointer("b"), pointer("c")})
	}
	t.add(name+".old-reader", func(s *scenario) {
		both(s)
		consumer := s.consumer(s.topic("t"), typedConsumer(of(orderDefinition)))
		for i := 0; i < 2; i++ {
			message := receive(consumer, patience)
			s.say("value", value(message, kinds[name]))
			s.say("version", version(message))
		}
	})
	t.add(name+".new-reader", func(s *scenario) {
		both(s)
		consumer := s.consumer(s.topic("t"), typedConsumer(of(shippedDefinition)))
		for i := 0; i < 2; i++ {
			message := receive(consumer, patience)
			s.say("value", value(message, kinds[name+"-2"]))
			s.say("version", version(message))
		}
	})
	t.add(name+".refused", func(s *scenario) {
		s.producer(s.topic("t"), typedProducer(of(orderDefinition)))
		_, err := s.newProducer(s.topic("t"), typedProducer(of(retypedDefinition)))
		s.run("retyped producer", err)
		_, err = s.newConsumer(s.topic("t"), typedConsumer(of(retypedDefinition)))
		s.run("retyped consumer", err)
		_, err = s.newProducer(s.topic("t"), typedProducer(of(countedDefinition)))
		s.run("field without default", err)
		_, err = s.newProducer(s.topic("t"))
		s.run("without a schema", err)
		_, err = s.newConsumer(s.topic("t"))
		s.run("consumer without a schema", err)
		s.say("versions", versions(s))
	})
	t.add(name+".set-first", func(s *scenario) {
		payload := utils.PostSchemaPayload{SchemaType: map[string]string{"avro": "AVRO", "json": "JSON"}[name], Schema: orderDefinition}
		s.run("set", s.admin.Schemas().CreateSchemaByPayload(s.topic("t"), payload))
		_, err := s.newProducer(s.topic("t"), typedProducer(of(retypedDefinition)))
		s.run("another", err)
		consumer := s.consumer(s.topic("t"), typedConsumer(of(orderDefinition)))
		sendValue(s.producer(s.topic("t"), typedProducer(of(orderDefinition))), order{1, pointer("a")})
		s.say("value", value(receive(consumer, patience), kinds[name]))
		s.say("versions", versions(s))
	})
	t.add(name+".deleted", func(s *scenario) {
		sendValue(s.producer(s.topic("t"), typedProducer(of(orderDefinition))), order{1, pointer("a")})
		s.run("delete", s.admin.Schemas().DeleteSchema(s.topic("t")))
		_, err := s.admin.Schemas().GetSchemaInfo(s.topic("t"))
		s.run("then", err)
		_, err = s.newProducer(s.topic("t"), typedProducer(of(orderDefinition)))
		s.run("producer", err)
	})
	t.add(name+".partitioned", func(s *scenario) {
		topic := s.partitioned("t", 3)
		consumer := s.consumer(topic, typedConsumer(of(orderDefinition)))
		producer := s.producer(topic, typedProducer(of(orderDefinition)))
		all := []string{}
		for i := 0; i < 6; i++ {
			send(producer, &pulsar.ProducerMessage{Value: order{i, nil}, Key: fmt.Sprint(i)})
		}
		for i := 0; i < 6; i++ {
			all = append(all, value(receive(consumer, patience), kinds[name]))
		}
		s.say("values", sorted(all))
	})
	t.add(name+".reader", func(s *scenario) {
		both(s)
		reader := s.reader(s.topic("t"), func(o *pulsar.ReaderOptions) { o.Schema = of(orderDefinition) })
		s.say("value", value(next(reader), kinds[name]))
		_, err := s.newReader(s.topic("t"), func(o *pulsar.ReaderOptions) { o.Schema = of(retypedDefinition) })
		s.run("of another", err)
	})
	t.add(name+".view", func(s *scenario) {
		sendValue(s.producer(s.topic("t"), typedProducer(of(orderDefinition))), order{1, pointer("a")})
		told, err := viewOne(s.client, kinds[name], s.topic("t"))
		must(err)
		s.say("value", fields(told))
	})
	t.add(name+".key-shared", func(s *scenario) {
		some := []pulsar.Consumer{}
		for i := 0; i < 2; i++ {
			some = append(some, s.consumer(s.topic("t"), ofType(pulsar.KeyShared), typedConsumer(of(orderDefinition))))
		}
		producer := s.producer(s.topic("t"), typedProducer(of(orderDefinition)))
		for i := 0; i < 20; i++ {
			send(producer, &pulsar.ProducerMessage{Value: order{i, nil}, Key: fmt.Sprint("k", i%4)})
		}
		s.say("owners of each key", owners(some, 20))
	})
	for _, strategy := range []utils.SchemaCompatibilityStrategy{
		utils.SchemaCompatibilityStrategyAlwaysIncompatible, utils.SchemaCompatibilityStrategyAlwaysCompatible,
		utils.SchemaCompatibilityStrategyBackward, utils.SchemaCompatibilityStrategyForward, utils.SchemaCompatibilityStrategyFull,
	} {
		t.add(name+".strategy."+strategy.String(), func(s *scenario) {
			must(s.admin.Namespaces().SetSchemaCompatibilityStrategy(s.namespaceName(), strategy))
			s.producer(s.topic("t"), typedProducer(of(orderDefinition)))
			_, err := s.newProducer(s.topic("t"), typedProducer(of(shippedDefinition)))
			s.run("adds a field with a default", err)
			_, err = s.newProducer(s.topic("t"), typedProducer(of(countedDefinition)))
			s.run("adds one without", err)
			_, err = s.newProducer(s.topic("t"), typedProducer(of(retypedDefinition)))
			s.run("another type", err)
			s.say("versions", versions(s))
		})
	}
}
