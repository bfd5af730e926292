package io.millrace.broker.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.Behaviour;
import io.millrace.wire.BaseCommand;
import io.millrace.wire.CommandAck;
import io.millrace.wire.CommandLookupTopicResponse.LookupType;
import io.millrace.wire.CommandPartitionedTopicMetadataResponse;
import io.millrace.wire.CommandSubscribe.SubType;
import io.millrace.wire.Schema;
import io.millrace.wire.ServerError;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SessionTest {
    private static final SessionLimits LIMITS = SessionLimits.DEFAULTS;
    private static final Set<BaseCommand.Type> ASKED_BY_CLIENTS = EnumSet.of(
            BaseCommand.Type.CONNECT,
            BaseCommand.Type.SUBSCRIBE,
            BaseCommand.Type.PRODUCER,
            BaseCommand.Type.SEND,
            BaseCommand.Type.ACK,
            BaseCommand.Type.FLOW,
            BaseCommand.Type.UNSUBSCRIBE,
            BaseCommand.Type.CLOSE_PRODUCER,
            BaseCommand.Type.CLOSE_CONSUMER,
            BaseCommand.Type.PING,
            BaseCommand.Type.PONG,
            BaseCommand.Type.REDELIVER_UNACKNOWLEDGED_MESSAGES,
            BaseCommand.Type.PARTITIONED_METADATA,
            BaseCommand.Type.LOOKUP,
            BaseCommand.Type.CONSUMER_STATS,
            BaseCommand.Type.SEEK,
            BaseCommand.Type.GET_LAST_MESSAGE_ID,
            BaseCommand.Type.GET_TOPICS_OF_NAMESPACE,
            BaseCommand.Type.GET_SCHEMA,
            BaseCommand.Type.GET_OR_CREATE_SCHEMA,
            BaseCommand.Type.AUTH_CHALLENGE,
            BaseCommand.Type.AUTH_RESPONSE,
            BaseCommand.Type.NEW_TXN,
            BaseCommand.Type.ADD_PARTITION_TO_TXN,
            BaseCommand.Type.ADD_SUBSCRIPTION_TO_TXN,
            BaseCommand.Type.END_TXN,
            BaseCommand.Type.END_TXN_ON_PARTITION,
            BaseCommand.Type.END_TXN_ON_SUBSCRIPTION,
            BaseCommand.Type.TC_CLIENT_CONNECT_REQUEST,
            BaseCommand.Type.WATCH_TOPIC_LIST,
            BaseCommand.Type.WATCH_TOPIC_LIST_CLOSE);

    @TempDir
    private Path folder;

    @Test
    void connectedTellsVersionLimitAndFlags() throws Exception {
        try (ServerFixture broker = new ServerFixture(folder);
                RawClient client = RawClient.open(broker.port())) {
            client.send(
                    BaseCommand.Type.CONNECT,
                    c -> c.setConnect().setClientVersion("raw").setProtocolVersion(19));
            var connected = client.expect(BaseCommand.Type.CONNECTED).getConnected();
            assertThat(connected.getServerVersion()).startsWith("Millrace");
            assertThat(connected.getProtocolVersion()).isEqualTo(19);
            assertThat(connected.getMaxMessageSize()).isEqualTo(5 * 1024 * 1024);
            assertThat(connected.getFeatureFlags().isSupportsTopicWatchers()).isTrue();
        }
        try (ServerFixture broker = new ServerFixture(folder);
                RawClient client = RawClient.open(broker.port())) {
            client.send(
                    BaseCommand.Type.CONNECT,
                    c -> c.setConnect().setClientVersion("raw").setProtocolVersion(99));
            assertThat(client.expect(BaseCommand.Type.CONNECTED).getConnected().getProtocolVersion())
                    .isEqualTo(21);
        }
    }

    @Test
    @Behaviour("PRO-7")
    void lookupAnswersAnAddressThatTheClientReaches() throws Exception {
        try (ServerFixture broker = new ServerFixture(folder);
                RawClient client = RawClient.connect(broker.port())) {
            assertThat(lookup(client)).isEqualTo("pulsar://127.0.0.1:" + broker.port());
        }
        ServerSettings settings = ServerSettings.loopback().withAdvertisedAddress("broker.example");
        try (ServerFixture broker = new ServerFixture(folder, settings);
                RawClient client = RawClient.connect(broker.port())) {
            assertThat(lookup(client)).isEqualTo("pulsar://broker.example:" + broker.port());
        }
    }

    @Test
    @Behaviour("PRO-7")
    void aClientThatNamesAListenerIsToldItsAddress() throws Exception {
        ServerSettings settings = ServerSettings.loopback();
        settings = settings.withAddress(settings.address()
                .withListeners(AdvertisedListeners.parse(
                        "inside:pulsar://127.0.0.1:7000,outside:pulsar://broker.example:7001")));
        try (ServerFixture broker = new ServerFixture(folder, settings);
                RawClient client = RawClient.connect(broker.port())) {
            assertThat(lookup(client)).isEqualTo("pulsar://127.0.0.1:7000");
            assertThat(lookup(client, "internal")).isEqualTo("pulsar://127.0.0.1:7000");
            assertThat(lookup(client, "outside")).isEqualTo("pulsar://broker.example:7001");
            client.send(
                    BaseCommand.Type.LOOKUP,
                    c -> c.setLookupTopic().setTopic("x").setRequestId(7).setAdvertisedListenerName("nowhere"));
            var refused = client.expect(BaseCommand.Type.LOOKUP_RESPONSE).getLookupTopicResponse();
            assertThat(refused.getError()).isEqualTo(ServerError.NotAllowedError);
            assertThat(refused.getMessage()).contains("'nowhere'").contains("inside, outside");
            client.expectAlive();
        }
    }

    @Test
    void topicsHaveNoPartitionsAndAskingDoesNotCreateThem() throws Exception {
        try (ServerFixture broker = new ServerFixture(folder);
                RawClient client = RawClient.connect(broker.port())) {
            assertThat(partitions(client, true).getPartitions()).isZero();
            assertThat(partitions(client, false).getError()).isEqualTo(ServerError.TopicNotFound);
            client.producer(1, "asked");
            assertThat(partitions(client, false).hasError()).isFalse();
        }
    }

    @Test
    @Behaviour({"PRO-8", "PRO-3"})
    void whatIsNotSupportedIsRefusedInTheFormItsClientWaitsFor() throws Exception {
        try (ServerFixture broker = new ServerFixture(folder);
                RawClient client = RawClient.connect(broker.port())) {
            BaseCommand answer = ask(
                    client,
                    BaseCommand.Type.GET_SCHEMA,
                    c -> c.setGetSchema().setRequestId(3).setTopic("x"));
            assertThat(answer.getGetSchemaResponse().getRequestId()).isEqualTo(3);
            assertThat(answer.getGetSchemaResponse().getErrorMessage()).contains("no schema");
            assertThat(answer.getGetSchemaResponse().getErrorCode()).isEqualTo(ServerError.TopicNotFound);
            answer = ask(
                    client,
                    BaseCommand.Type.GET_OR_CREATE_SCHEMA,
                    c -> c.setGetOrCreateSchema()
                            .setRequestId(3)
                            .setTopic("x")
                            .setSchema()
                            .setName("s")
                            .setType(Schema.Type.String)
                            .setSchemaData(new byte[0]));
            assertThat(answer.getGetOrCreateSchemaResponse().getErrorCode()).isEqualTo(ServerError.TopicNotFound);
            answer = ask(client, BaseCommand.Type.AUTH_RESPONSE, BaseCommand::setAuthResponse);
            assertThat(answer.getError().getMessage()).contains("not configured");
        }
    }

    @Test
    @Behaviour({"PRO-8", "PRO-3"})
    void everyTransactionCommandIsRefusedWithItsOwnResponse() throws Exception {
        try (ServerFixture broker = new ServerFixture(folder);
                RawClient client = RawClient.connect(broker.port())) {
            assertThat(ask(
                                    client,
                                    BaseCommand.Type.TC_CLIENT_CONNECT_REQUEST,
                                    c -> c.setTcClientConnectRequest()
                                            .setRequestId(3)
                                            .setTcId(0))
                            .getTcClientConnectResponse()
                            .getError())
                    .isEqualTo(ServerError.NotAllowedError);
            assertThat(ask(client, BaseCommand.Type.NEW_TXN, c -> c.setNewTxn().setRequestId(4))
                            .getNewTxnResponse()
                            .getRequestId())
                    .isEqualTo(4);
            assertThat(ask(
                                    client,
                                    BaseCommand.Type.ADD_PARTITION_TO_TXN,
                                    c -> c.setAddPartitionToTxn().setRequestId(5))
                            .getAddPartitionToTxnResponse()
                            .getRequestId())
                    .isEqualTo(5);
            assertThat(ask(
                                    client,
                                    BaseCommand.Type.ADD_SUBSCRIPTION_TO_TXN,
                                    c -> c.setAddSubscriptionToTxn().setRequestId(6))
                            .getAddSubscriptionToTxnResponse()
                            .getRequestId())
                    .isEqualTo(6);
            assertThat(ask(client, BaseCommand.Type.END_TXN, c -> c.setEndTxn().setRequestId(7))
                            .getEndTxnResponse()
                            .getMessage())
                    .contains("transactions");
        }
    }

    @Test
    @Behaviour({"PRO-8", "PRO-3"})
    void whatOnlyBrokersSendToEachOtherIsRefusedToo() throws Exception {
        try (ServerFixture broker = new ServerFixture(folder);
                RawClient client = RawClient.connect(broker.port())) {
            var onPartition = ask(
                    client,
                    BaseCommand.Type.END_TXN_ON_PARTITION,
                    c -> c.setEndTxnOnPartition().setRequestId(5).setTopic("x"));
            assertThat(onPartition.getEndTxnOnPartitionResponse().getRequestId())
                    .isEqualTo(5);
            var onSubscription = ask(
                    client,
                    BaseCommand.Type.END_TXN_ON_SUBSCRIPTION,
                    c -> c.setEndTxnOnSubscription()
                            .setRequestId(6)
                            .setSubscription()
                            .setTopic("x")
                            .setSubscription("s"));
            assertThat(onSubscription.getEndTxnOnSubscriptionResponse().getMessage())
                    .contains("transactions");
            var challenge = ask(client, BaseCommand.Type.AUTH_CHALLENGE, BaseCommand::setAuthChallenge);
            assertThat(challenge.getError().getMessage()).contains("not configured");
        }
    }

    @Test
    @Behaviour("PRO-8")
    void everyAnswerThatAClientSendsIsAnErrorAndTheConnectionLives() throws Exception {
        try (ServerFixture broker = new ServerFixture(folder);
                RawClient client = RawClient.connect(broker.port())) {
            for (BaseCommand.Type type : BaseCommand.Type.values()) {
                if (!ASKED_BY_CLIENTS.contains(type)) {
                    client.send(type, c -> {});
                    assertThat(client.expect(BaseCommand.Type.ERROR).getError().getMessage())
                            .contains(String.valueOf(type.getValue()));
                    client.expectAlive();
                }
            }
        }
    }

    @Test
    @Behaviour("PRO-8")
    void connectingByWayOfAProxyAndWithCredentialsNobodyAskedForWorks() throws Exception {
        try (ServerFixture broker = new ServerFixture(folder);
                RawClient client = RawClient.open(broker.port())) {
            client.send(
                    BaseCommand.Type.CONNECT,
                    c -> c.setConnect()
                            .setClientVersion("raw")
                            .setProtocolVersion(21)
                            .setAuthMethodName("token")
                            .setAuthData(new byte[] {1, 2, 3})
                            .setProxyToBrokerUrl("broker.example:6650")
                            .setOriginalPrincipal("somebody")
                            .setOriginalAuthData("secret")
                            .setOriginalAuthMethod("token")
                            .setProxyVersion("1")
                            .setFeatureFlags()
                            .setSupportsTopicWatchers(true)
                            .setSupportsAuthRefresh(true));
            client.expect(BaseCommand.Type.CONNECTED);
            client.producer(1, "by-proxy");
            client.publish(1, 0, "works");
        }
    }

    @Test
    @Behaviour({"PRO-8", "PRO-3"})
    void sendsAndAcksOfTransactionsAreRefusedAndTheConnectionLives() throws Exception {
        try (ServerFixture broker = new ServerFixture(folder);
                RawClient client = RawClient.connect(broker.port())) {
            client.producer(1, "transactions");
            client.subscribe(1, "transactions", SubType.Shared);
            client.write(WireFrames.frame(
                    WireFrames.command(
                            BaseCommand.Type.SEND,
                            c -> c.setSend()
                                    .setProducerId(1)
                                    .setSequenceId(3)
                                    .setTxnidLeastBits(1)
                                    .setTxnidMostBits(0)),
                    WireFrames.message(WireFrames.metadata(3), "in a transaction")));
            assertThat(client.expect(BaseCommand.Type.SEND_ERROR).getSendError().getMessage())
                    .contains("transactions");
            client.send(
                    BaseCommand.Type.ACK,
                    c -> c.setAck()
                            .setConsumerId(1)
                            .setAckType(CommandAck.AckType.Individual)
                            .setRequestId(4)
                            .setTxnidLeastBits(1)
                            .setTxnidMostBits(0)
                            .addMessageId()
                            .setLedgerId(1)
                            .setEntryId(0));
            assertThat(client.expect(BaseCommand.Type.ACK_RESPONSE)
                            .getAckResponse()
                            .getMessage())
                    .contains("transactions");
            client.expectAlive();
        }
    }

    @Test
    @Behaviour("PRO-8")
    void aCommandTypeThatDoesNotExistIsAnErrorAndTheConnectionLives() throws Exception {
        try (ServerFixture broker = new ServerFixture(folder);
                RawClient client = RawClient.connect(broker.port())) {
            client.write(new byte[] {0, 0, 0, 6, 0, 0, 0, 2, 0x08, 99});
            assertThat(client.expect(BaseCommand.Type.ERROR).getError().getMessage())
                    .contains("99");
            client.write(new byte[] {0, 0, 0, 7, 0, 0, 0, 3, 0x08, (byte) 0xe8, 0x07});
            assertThat(client.expect(BaseCommand.Type.ERROR).getError().getMessage())
                    .contains("1000");
            client.send(BaseCommand.Type.SUCCESS, c -> c.setSuccess().setRequestId(1));
            client.expect(BaseCommand.Type.ERROR);
            client.expectAlive();
        }
    }

    @Test
    @Behaviour("PRO-5")
    void aSilentConnectionIsProbedAndThenClosed() throws Exception {
        Duration keepAlive = Duration.ofSeconds(8);
        ServerSettings settings = ServerSettings.loopback().withKeepAlive(keepAlive);
        long start = System.nanoTime();
        try (ServerFixture broker = new ServerFixture(folder, settings);
                RawClient silent = RawClient.connect(broker.port());
                RawClient living = RawClient.connect(broker.port())) {
            living.producer(1, "taken", p -> p.setProducerName("living"));
            silent.producer(1, "taken", p -> p.setProducerName("silent"));
            living.expect(BaseCommand.Type.PING);
            living.send(BaseCommand.Type.PONG, BaseCommand::setPong);
            silent.expect(BaseCommand.Type.PING);
            assertThat(silent.receive()).as("closed").isNull();
            assertThat(System.nanoTime() - start).isGreaterThan(keepAlive.toNanos() * 19 / 10);
            living.expect(BaseCommand.Type.PING);
            assertThat(living.producer(2, "taken", p -> p.setProducerName("silent")))
                    .isEqualTo("silent");
        }
    }

    @Test
    @Behaviour("PRO-6")
    void aSessionWithTooMuchUnansweredIsReadAgainWhenHalfIsAnswered() throws Exception {
        ServerSettings settings = ServerSettings.loopback()
                .withLimits(LIMITS.withMaxUnansweredCommands(4).withMaxPendingPublishes(3, 2_000));
        try (ServerFixture broker = new ServerFixture(folder, settings);
                RawClient client = RawClient.connect(broker.port())) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            client.producer(1, "narrow");
            for (int i = 0; i < 300; i++) {
                bytes.writeBytes(WireFrames.send(1, i, "x".repeat(i)));
                long requestId = i;
                bytes.writeBytes(WireFrames.frame(WireFrames.command(
                        BaseCommand.Type.PARTITIONED_METADATA,
                        c -> c.setPartitionMetadata().setTopic("narrow").setRequestId(requestId))));
            }
            client.write(bytes.toByteArray());
            int receipts = 0;
            int answers = 0;
            while (receipts < 300 || answers < 300) {
                BaseCommand answer = client.receive();
                if (answer.getType() == BaseCommand.Type.SEND_RECEIPT) {
                    assertThat(answer.getSendReceipt().getSequenceId()).isEqualTo(receipts++);
                } else {
                    assertThat(answer.getPartitionMetadataResponse().getRequestId())
                            .isEqualTo(answers++);
                }
            }
        }
    }

    @Test
    @Behaviour("PRO-6")
    void aConsumerThatDoesNotReadIsSentNoMoreThanItsConnectionTakes() throws Exception {
        int messages = 200;
        String payload = "x".repeat(200_000);
        ServerSettings settings = ServerSettings.loopback().withKeepAlive(Duration.ofHours(1));
        try (ServerFixture broker = new ServerFixture(folder, settings);
                RawClient producer = RawClient.connect(broker.port());
                RawClient slow = RawClient.connectNarrow(broker.port());
                RawClient quick = RawClient.connect(broker.port())) {
            slow.sendSubscribe(1, "wide", SubType.Exclusive, s -> s.setSubscription("slow"));
            slow.expect(BaseCommand.Type.SUCCESS);
            slow.flow(1, messages);
            quick.sendSubscribe(1, "wide", SubType.Exclusive, s -> s.setSubscription("quick"));
            quick.expect(BaseCommand.Type.SUCCESS);
            quick.flow(1, messages);
            producer.producer(1, "wide");
            for (int i = 0; i < messages; i++) {
                producer.publish(1, i, payload);
                assertThat(quick.expect(BaseCommand.Type.MESSAGE)
                                .getMessage()
                                .getMessageId()
                                .getEntryId())
                        .isEqualTo(i);
            }
            slow.send(
                    BaseCommand.Type.CONSUMER_STATS,
                    c -> c.setConsumerStats().setConsumerId(1).setRequestId(9));
            for (int i = 0; i < messages; ) {
                BaseCommand next = slow.receive();
                if (next.hasConsumerStatsResponse()) {
                    assertThat(next.getConsumerStatsResponse().getUnackedMessages())
                            .as("messages on their way while nothing was read")
                            .isLessThan(messages / 2);
                } else {
                    assertThat(next.getMessage().getMessageId().getEntryId()).isEqualTo(i++);
                }
            }
        }
    }

    @Test
    @Behaviour("PRO-3")
    void closingTheServerWaitsForTheReceiptsThatAreDue() throws Exception {
        ServerFixture broker = new ServerFixture(folder);
        try (broker;
                RawClient client = RawClient.connect(broker.port())) {
            client.producer(1, "shutdown");
            for (int i = 0; i < 100; i++) {
                client.write(WireFrames.send(1, i, "message " + i));
            }
            client.expect(BaseCommand.Type.SEND_RECEIPT);
            broker.server().close();
            long next = 1;
            for (BaseCommand answer = client.receive(); answer != null; answer = client.receive()) {
                assertThat(answer.getSendReceipt().getSequenceId()).isEqualTo(next++);
            }
        }
    }

    @Test
    void closingTheServerDoesNotWaitForAClientThatNeverReads() throws Exception {
        String payload = "x".repeat(1_000_000);
        try (ServerFixture broker = new ServerFixture(folder);
                RawClient producer = RawClient.connect(broker.port());
                RawClient stuck = RawClient.connectNarrow(broker.port())) {
            stuck.subscribe(1, "wide", SubType.Exclusive);
            stuck.flow(1, 1_000);
            producer.producer(1, "wide");
            for (int i = 0; i < 20; i++) {
                producer.publish(1, i, payload);
            }
            long start = System.nanoTime();
            broker.server().close();
            // Its own limits make three seconds; the rest is for a slow machine. The client would never read.
            assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start))
                    .isLessThan(10);
        }
    }

    private static BaseCommand ask(RawClient client, BaseCommand.Type type, Consumer<BaseCommand> fill)
            throws Exception {
        client.send(type, fill);
        BaseCommand answer = client.receive();
        client.expectAlive();
        return answer;
    }

    private static String lookup(RawClient client) throws Exception {
        return lookup(client, "");
    }

    private static String lookup(RawClient client, String listener) throws Exception {
        client.send(
                BaseCommand.Type.LOOKUP,
                c -> c.setLookupTopic().setTopic("x").setRequestId(6).setAdvertisedListenerName(listener));
        var response = client.expect(BaseCommand.Type.LOOKUP_RESPONSE).getLookupTopicResponse();
        assertThat(response.getRequestId()).isEqualTo(6);
        assertThat(response.getResponse()).isEqualTo(LookupType.Connect);
        assertThat(response.isAuthoritative()).isTrue();
        assertThat(response.isProxyThroughServiceUrl())
                .isEqualTo(response.getBrokerServiceUrl().contains("127.0.0.1"));
        return response.getBrokerServiceUrl();
    }

    private static CommandPartitionedTopicMetadataResponse partitions(RawClient client, boolean create)
            throws Exception {
        client.send(
                BaseCommand.Type.PARTITIONED_METADATA,
                c -> c.setPartitionMetadata().setTopic("asked").setRequestId(6).setMetadataAutoCreationEnabled(create));
        return client.expect(BaseCommand.Type.PARTITIONED_METADATA_RESPONSE).getPartitionMetadataResponse();
    }
}
