package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"runtime/debug"
	"sort"
	"strings"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/apache/pulsar-client-go/pulsar/log"
	"github.com/apache/pulsar-client-go/pulsaradmin"
	"github.com/apache/pulsar-client-go/pulsaradmin/pkg/admin/config"
	"github.com/apache/pulsar-client-go/pulsaradmin/pkg/rest"
	"github.com/apache/pulsar-client-go/pulsaradmin/pkg/utils"
	"github.com/sirupsen/logrus"
)

const (
	atOnce   = 4
	patience = 20 * time.Second
	quiet    = time.Second
)

var serverError = regexp.MustCompile(`server error: (\w+)`)

// A program of the client: it has its scenario alone.
type program func(s *scenario)

// Scenarios that belong together: a file of transcripts, a row of the page.
type theme struct {
	name     string
	names    []string
	programs map[string]program
}

func newTheme(name string) *theme {
	return &theme{name: name, programs: map[string]program{}}
}

func (t *theme) add(name string, p program) {
	full := t.name + "." + name
	if _, there := t.programs[full]; there {
		panic("there are two scenarios named " + full)
	}
	t.names = append(t.names, full)
	t.programs[full] = p
}

// What all scenarios of a run share.
type shared struct {
	serviceURL string
	adminURL   string
	client     pulsar.Client
	admin      pulsaradmin.Client
}

// The logger of clients says nothing; transcripts say how things failed.
func quietLogger() log.Logger {
	logger := logrus.New()
	logger.SetOutput(io.Discard)
	return log.NewLoggerWithLogrus(logger)
}

func newClient(serviceURL string) (pulsar.Client, error) {
	return pulsar.NewClient(pulsar.ClientOptions{
		URL: serviceURL, Logger: quietLogger(), OperationTimeout: 10 * time.Second,
	})
}

// What a scenario is given: clients, names of its own, and its transcript. One goroutine uses it.
type scenario struct {
	*shared
	tenant       string
	hasNamespace bool
	keys         []string
	lines        map[string]string
	closing      []func()
	ledgers      map[int64]int
}

// A namespace of this scenario, made when it is first asked for.
func (s *scenario) namespace() string {
	if !s.hasNamespace {
		s.hasNamespace = true
		must(s.admin.Tenants().Create(utils.TenantData{Name: s.tenant, AllowedClusters: []string{"standalone"}}))
		must(s.admin.Namespaces().CreateNamespace(s.tenant + "/ns"))
	}
	return s.tenant + "/ns"
}

// The full name of a topic of this scenario, which is not made by this.
func (s *scenario) topic(name string) string {
	return "persistent://" + s.namespace() + "/" + name
}

// The same as the admin client has it.
func (s *scenario) topicName(name string) utils.TopicName {
	topic, err := utils.GetTopicName(s.topic(name))
	must(err)
	return *topic
}

func (s *scenario) namespaceName() utils.NameSpaceName {
	name, err := utils.GetNamespaceName(s.namespace())
	must(err)
	return *name
}

// Makes a topic of partitions.
func (s *scenario) partitioned(name string, count int) string {
	must(s.admin.Topics().Create(s.topicName(name), count))
	return s.topic(name)
}

// Sends JSON to a path of the admin API, for what the admin client has no method, and returns the status.
func (s *scenario) send(method, path string, body any) int {
	data, err := json.Marshal(body)
	must(err)
	request, err := http.NewRequest(method, s.adminURL+"/admin/v2/"+path, bytes.NewReader(data))
	must(err)
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	must(err)
	must(answer.Body.Close())
	return answer.StatusCode
}

func (s *scenario) producer(topic string, options ...func(*pulsar.ProducerOptions)) pulsar.Producer {
	producer, err := s.newProducer(topic, options...)
	must(err)
	return producer
}

// A producer that sends each message at once, unless the options say otherwise.
func (s *scenario) newProducer(topic string, options ...func(*pulsar.ProducerOptions)) (pulsar.Producer, error) {
	all := pulsar.ProducerOptions{Topic: topic, DisableBatching: true}
	for _, option := range options {
		option(&all)
	}
	producer, err := s.client.CreateProducer(all)
	if err == nil {
		s.closing = append(s.closing, producer.Close)
	}
	return producer, err
}

func (s *scenario) consumer(topic string, options ...func(*pulsar.ConsumerOptions)) pulsar.Consumer {
	consumer, err := s.newConsumer(topic, options...)
	must(err)
	return consumer
}

// A consumer of the subscription "s", from the earliest message on, unless the options say otherwise.
func (s *scenario) newConsumer(topic string, options ...func(*pulsar.ConsumerOptions)) (pulsar.Consumer, error) {
	all := pulsar.ConsumerOptions{
		Topic: topic, SubscriptionName: "s", SubscriptionInitialPosition: pulsar.SubscriptionPositionEarliest,
	}
	for _, option := range options {
		option(&all)
	}
	consumer, err := s.client.Subscribe(all)
	if err == nil {
		s.closing = append(s.closing, consumer.Close)
	}
	return consumer, err
}

func (s *scenario) reader(topic string, options ...func(*pulsar.ReaderOptions)) pulsar.Reader {
	reader, err := s.newReader(topic, options...)
	must(err)
	return reader
}

func (s *scenario) newReader(topic string, options ...func(*pulsar.ReaderOptions)) (pulsar.Reader, error) {
	all := pulsar.ReaderOptions{Topic: topic, StartMessageID: pulsar.EarliestMessageID()}
	for _, option := range options {
		option(&all)
	}
	reader, err := s.client.CreateReader(all)
	if err == nil {
		s.closing = append(s.closing, reader.Close)
	}
	return reader, err
}

// Publishes texts, one entry each, and returns their ids.
func (s *scenario) publish(topic string, texts ...string) []pulsar.MessageID {
	producer := s.producer(topic)
	defer producer.Close()
	ids := []pulsar.MessageID{}
	for _, one := range texts {
		id, err := producer.Send(context.Background(), &pulsar.ProducerMessage{Payload: []byte(one), Key: "k"})
		must(err)
		ids = append(ids, id)
	}
	return ids
}

// The texts of the next messages, which are acknowledged; "nothing" stands for one that does not come.
func take(consumer pulsar.Consumer, count int) []string {
	texts := []string{}
	for i := 0; i < count; i++ {
		message := receive(consumer, patience)
		texts = append(texts, payload(message))
		if message != nil {
			must(consumer.Ack(message))
		}
	}
	return texts
}

func sorted(texts []string) []string {
	sort.Strings(texts)
	return texts
}

// The next message, nil if there is none within the time.
func receive(consumer pulsar.Consumer, within time.Duration) pulsar.Message {
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	message, err := consumer.Receive(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	must(err)
	return message
}

func next(reader pulsar.Reader) pulsar.Message {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	message, err := reader.Next(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	must(err)
	return message
}

func payload(message pulsar.Message) string {
	if message == nil {
		return "nothing"
	}
	return string(message.Payload())
}

// Writes a line; a key that comes again gets a number behind it.
func (s *scenario) say(key string, value any) {
	unique := key
	for again := 2; ; again++ {
		if _, there := s.lines[unique]; !there {
			break
		}
		unique = fmt.Sprintf("%s#%d", key, again)
	}
	told := strings.ReplaceAll(text(value), s.tenant, "TENANT")
	s.keys = append(s.keys, unique)
	s.lines[unique] = strings.TrimRight(strings.ReplaceAll(told, "\n", "\\n"), " ")
}

// Writes a value, or the class of the failure.
func (s *scenario) call(key string, value any, err error) {
	if err != nil {
		s.say(key, failure(err))
		return
	}
	s.say(key, value)
}

// Writes "done", or the class of the failure.
func (s *scenario) run(key string, err error) {
	s.call(key, "done", err)
}

// Waits until something has come to pass, and writes whether it did.
func (s *scenario) await(key string, condition func() bool) {
	end := time.Now().Add(patience)
	met := condition()
	for !met && time.Now().Before(end) {
		time.Sleep(5 * time.Millisecond)
		met = condition()
	}
	s.say(key, met)
}

// A message id as it is written: L0:3, of a partition L0:3:p1, of a batch L0:3:b2; ledgers in the order in which they were written.
func (s *scenario) id(id pulsar.MessageID) string {
	ledger, there := s.ledgers[id.LedgerID()]
	if !there {
		ledger = len(s.ledgers)
		s.ledgers[id.LedgerID()] = ledger
	}
	told := fmt.Sprintf("L%d:%d", ledger, id.EntryID())
	if id.PartitionIdx() > 0 {
		told += fmt.Sprintf(":p%d", id.PartitionIdx())
	}
	if id.BatchSize() > 1 {
		told += fmt.Sprintf(":b%d", id.BatchIdx())
	}
	return told
}

func (s *scenario) ids(all []pulsar.MessageID) []string {
	told := []string{}
	for _, one := range all {
		told = append(told, s.id(one))
	}
	return told
}

// What programs act on of a failure: the server's error, the client's result, the status over HTTP. Words are for people.
func failure(err error) string {
	var refusal rest.Error
	if errors.As(err, &refusal) {
		return fmt.Sprintf("refused %d", refusal.Code)
	}
	if found := serverError.FindStringSubmatch(err.Error()); found != nil {
		return found[1]
	}
	var failed *pulsar.Error
	if errors.As(err, &failed) {
		words := strings.Split(failed.Error(), ": ")
		return words[len(words)-1]
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return "deadline"
	}
	return fmt.Sprintf("%T", err)
}

func text(value any) string {
	switch v := value.(type) {
	case []byte:
		return string(v)
	case []string:
		return "[" + strings.Join(v, ", ") + "]"
	case map[string]string:
		all := []string{}
		for key, one := range v {
			all = append(all, key+"="+one)
		}
		return "{" + strings.Join(sorted(all), ", ") + "}"
	default:
		return fmt.Sprint(value)
	}
}

// Ends the scenario with a failure that is none of what it is about.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// Runs the scenarios whose names begin with the text, some at a time, and prints their transcripts in the order of the themes.
func run(themes []*theme, serviceURL, adminURL, prefix, only string) {
	client, err := newClient(serviceURL)
	must(err)
	defer client.Close()
	admin, err := pulsaradmin.NewClient(&config.Config{WebServiceURL: adminURL})
	must(err)
	common := &shared{serviceURL: serviceURL, adminURL: adminURL, client: client, admin: admin}
	chosen := []string{}
	programs := map[string]program{}
	for _, t := range themes {
		for _, name := range t.names {
			if strings.HasPrefix(name, only) {
				chosen = append(chosen, name)
				programs[name] = t.programs[name]
			}
		}
	}
	told := make([]chan *scenario, len(chosen))
	places := make(chan struct{}, atOnce)
	for i, name := range chosen {
		told[i] = make(chan *scenario, 1)
		s := &scenario{
			shared: common, tenant: fmt.Sprintf("%s-%d-t", prefix, i), lines: map[string]string{}, ledgers: map[int64]int{},
		}
		go func() {
			places <- struct{}{}
			one(name, programs[name], s)
			<-places
			told[i] <- s
		}()
	}
	for i, name := range chosen {
		s := <-told[i]
		fmt.Fprintln(out, "= "+name)
		for _, key := range s.keys {
			fmt.Fprintln(out, strings.TrimRight(key+": "+s.lines[key], " "))
		}
		fmt.Fprintln(out)
	}
}

func one(name string, p program, s *scenario) {
	start := time.Now()
	guarded(name, "ended by", s, func() { p(s) })
	for i := len(s.closing) - 1; i >= 0; i-- {
		guarded(name, "closing it", s, s.closing[i])
	}
	if took := time.Since(start); took > 3*time.Second {
		fmt.Fprintf(os.Stderr, "%s took %v\n", name, took)
	}
}

func guarded(name, key string, s *scenario, work func()) {
	defer func() {
		if failed := recover(); failed != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n%s\n", name, failed, debug.Stack())
			if err, is := failed.(error); is {
				s.say(key, failure(err))
			} else {
				s.say(key, failed)
			}
		}
	}()
	work()
}
