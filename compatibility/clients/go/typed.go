package main

import (
	"bufio"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"

	"github.com/apache/pulsar-client-go/pulsar"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

const (
	orderDefinition = `{"type":"record","name":"Order","namespace":"shop","fields":[` +
		`{"name":"count","type":"int"},{"name":"item","type":["null","string"],"default":null}]}`
	shippedDefinition = `{"type":"record","name":"Order","namespace":"shop","fields":[` +
		`{"name":"count","type":"int"},{"name":"item","type":["null","string"],"default":null},` +
		`{"name":"street","type":["null","string"],"default":null}]}`
	// What the Java client makes of the message StringValue.
	stringValueDefinition = `{"type":"record","name":"StringValue","namespace":"com.google.protobuf","fields":[` +
		`{"name":"value","type":{"type":"string","avro.java.string":"String"},"default":""}]}`
)

type order struct {
	Count int     `json:"count" avro:"count"`
	Item  *string `json:"item" avro:"item"`
}

type shipped struct {
	Count  int     `json:"count" avro:"count"`
	Item   *string `json:"item" avro:"item"`
	Street *string `json:"street" avro:"street"`
}

// A kind of schema: a value to publish, and a place to decode one to.
type kind struct {
	schema func() pulsar.Schema
	value  any
	place  func() any
}

func pointer(text string) *string { return &text }

func number[T any](schema func() pulsar.Schema, value T) kind {
	return kind{schema, value, func() any { return new(T) }}
}

var kinds = map[string]kind{
	"bytes":  {func() pulsar.Schema { return pulsar.NewBytesSchema(nil) }, []byte("value"), func() any { return &[]byte{} }},
	"string": {func() pulsar.Schema { return pulsar.NewStringSchema(nil) }, "größer", func() any { return new(*string) }},
	"int8":   number(func() pulsar.Schema { return pulsar.NewInt8Schema(nil) }, int8(-5)),
	"int16":  number(func() pulsar.Schema { return pulsar.NewInt16Schema(nil) }, int16(-300)),
	"int32":  number(func() pulsar.Schema { return pulsar.NewInt32Schema(nil) }, int32(-70000)),
	"int64":  number(func() pulsar.Schema { return pulsar.NewInt64Schema(nil) }, int64(-5000000000)),
	"float":  number(func() pulsar.Schema { return pulsar.NewFloatSchema(nil) }, float32(0.5)),
	"double": number(func() pulsar.Schema { return pulsar.NewDoubleSchema(nil) }, 0.25),
	"avro": {func() pulsar.Schema { return pulsar.NewAvroSchema(orderDefinition, nil) }, order{7, pointer("x")},
		func() any { return &order{} }},
	"json": {func() pulsar.Schema { return pulsar.NewJSONSchema(orderDefinition, nil) }, order{7, pointer("x")},
		func() any { return &order{} }},
	"avro-2": {func() pulsar.Schema { return pulsar.NewAvroSchema(shippedDefinition, nil) }, shipped{8, pointer("y"), pointer("z")},
		func() any { return &shipped{} }},
	"json-2": {func() pulsar.Schema { return pulsar.NewJSONSchema(shippedDefinition, nil) }, shipped{8, pointer("y"), pointer("z")},
		func() any { return &shipped{} }},
	"protobuf": {func() pulsar.Schema { return pulsar.NewProtoSchema(stringValueDefinition, nil) }, wrapperspb.String("x"),
		func() any { return &wrapperspb.StringValue{} }},
	"protobuf-native": {func() pulsar.Schema { return pulsar.NewProtoNativeSchemaWithMessage(&wrapperspb.StringValue{}, nil) },
		wrapperspb.String("x"), func() any { return &wrapperspb.StringValue{} }},
}

func (k kind) told(value any) any {
	switch v := value.(type) {
	case *[]byte:
		return string(*v)
	case **string:
		return **v
	case *wrapperspb.StringValue:
		return v.Value
	default:
		return reflect.ValueOf(value).Elem().Interface()
	}
}

// Publishes and consumes one value of a kind of schema when told to, for scenarios in which languages speak to each other. Each line of
// the standard input is a verb, a kind and a topic; each gets a line: "ok" and what was received, or "failed" and the class of the failure.
func speak(serviceURL string) {
	client, err := newClient(serviceURL)
	must(err)
	defer client.Close()
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		told, err := verb(client, words[0], kinds[words[1]], words[2])
		if err != nil {
			fmt.Fprintln(out, "failed "+failure(err))
			continue
		}
		answer, err := json.Marshal(told)
		must(err)
		fmt.Fprintln(out, "ok "+string(answer))
	}
}

func verb(client pulsar.Client, name string, k kind, topic string) (told any, failed error) {
	defer func() {
		if problem := recover(); problem != nil {
			failed = errors.New(fmt.Sprint(problem))
		}
	}()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	switch name {
	case "publish":
		return "", publishOne(ctx, client, k, topic)
	case "consume":
		return consumeOne(ctx, client, k, topic)
	case "raw":
		return rawOne(ctx, client, topic)
	case "read":
		reader, err := client.CreateReader(pulsar.ReaderOptions{Topic: topic, StartMessageID: pulsar.EarliestMessageID(), Schema: k.schema()})
		if err != nil {
			return nil, err
		}
		defer reader.Close()
		message, err := reader.Next(ctx)
		if err != nil {
			return nil, err
		}
		place := k.place()
		if err := message.GetSchemaValue(place); err != nil {
			return nil, err
		}
		return k.told(place), nil
	case "view":
		return viewOne(client, k, topic)
	default:
		return nil, errors.New("there is no verb " + name)
	}
}

func publishOne(ctx context.Context, client pulsar.Client, k kind, topic string) error {
	producer, err := client.CreateProducer(pulsar.ProducerOptions{Topic: topic, Schema: k.schema(), DisableBatching: true})
	if err != nil {
		return err
	}
	defer producer.Close()
	_, err = producer.Send(ctx, &pulsar.ProducerMessage{Value: k.value, Key: "k"})
	return err
}

func consumeOne(ctx context.Context, client pulsar.Client, k kind, topic string) (any, error) {
	consumer, err := client.Subscribe(pulsar.ConsumerOptions{
		Topic: topic, SubscriptionName: "s", Schema: k.schema(), SubscriptionInitialPosition: pulsar.SubscriptionPositionEarliest,
		AckWithResponse: true,
	})
	if err != nil {
		return nil, err
	}
	defer consumer.Close()
	message, err := consumer.Receive(ctx)
	if err != nil {
		return nil, err
	}
	place := k.place()
	if err := message.GetSchemaValue(place); err != nil {
		return nil, err
	}
	return k.told(place), consumer.Ack(message)
}

// The key and the bytes that a consumer without a schema gets next.
func rawOne(ctx context.Context, client pulsar.Client, topic string) (any, error) {
	consumer, err := client.Subscribe(pulsar.ConsumerOptions{
		Topic: topic, SubscriptionName: "s", Type: pulsar.KeyShared, SubscriptionInitialPosition: pulsar.SubscriptionPositionEarliest,
		AckWithResponse: true,
	})
	if err != nil {
		return nil, err
	}
	defer consumer.Close()
	message, err := consumer.Receive(ctx)
	if err != nil {
		return nil, err
	}
	return map[string]string{"key": message.Key(), "data": hex.EncodeToString(message.Payload())}, consumer.Ack(message)
}

func viewOne(client pulsar.Client, k kind, topic string) (any, error) {
	seen, err := client.CreateTableView(pulsar.TableViewOptions{
		Topic: topic, Schema: k.schema(), SchemaValueType: reflect.TypeOf(k.place()).Elem(), Logger: quietLogger(),
	})
	if err != nil {
		return nil, err
	}
	defer seen.Close()
	if seen.Get("k") == nil {
		return nil, errors.New("the view has no such key")
	}
	place := reflect.New(reflect.TypeOf(k.place()).Elem())
	place.Elem().Set(reflect.ValueOf(seen.Get("k")))
	return k.told(place.Interface()), nil
}
