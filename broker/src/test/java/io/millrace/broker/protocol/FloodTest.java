package io.millrace.broker.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.log.DiskFiles;
import io.millrace.broker.log.ForcePoint;
import io.millrace.broker.log.LogConfig;
import io.millrace.broker.log.SlowDisk;
import io.millrace.testkit.Behaviour;
import io.millrace.wire.BaseCommand;
import io.millrace.wire.CommandAck.AckType;
import io.millrace.wire.CommandSubscribe.SubType;
import io.netty.util.internal.PlatformDependent;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients that send more than the disk takes, or ask for more than they read. */
@Timeout(240)
class FloodTest {
    private static final long MIB = 1 << 20;
    /** More than the buffers of the system for one connection. */
    private static final long MOST_BYTES = 256 * MIB;

    /** Of a broker that never asks whether a client lives that does not read. */
    private static final ServerSettings PATIENT = ServerSettings.loopback().withKeepAlive(Duration.ofHours(1));

    @TempDir
    private Path folder;

    private final AtomicBoolean forcesHeld = new AtomicBoolean();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private long directBefore;

    @BeforeEach
    void remember() {
        directBefore = directBytes();
    }

    @AfterEach
    void stop() {
        forcesHeld.set(false);
        threads.shutdownNow();
    }

    @Test
    @Behaviour({"PRO-6", "ACK-11"})
    void aConsumerThatNeverReadsCostsLittleMemoryHarmsNobodyAndGetsEverythingWhenItWakes() throws Exception {
        int messages = 4_000;
        String payload = "x".repeat(64 << 10);
        try (ServerFixture broker = new ServerFixture(config(), new DiskFiles(), PATIENT);
                RawClient sleeper = RawClient.connectNarrow(broker.port());
                RawClient reader = RawClient.connect(broker.port());
                RawClient publisher = RawClient.connect(broker.port());
                RawClient neighbour = RawClient.connect(broker.port())) {
            subscribe(sleeper, "sleeper");
            subscribe(reader, "reader");
            neighbour.producer(1, "elsewhere");
            publisher.producer(1, "flood");
            Future<Void> read = threads.submit(() -> expectMessages(reader, messages));
            Future<Void> sent = threads.submit(() -> {
                for (int i = 0; i < messages; i++) {
                    publisher.write(WireFrames.send(1, i, payload));
                }
                return null;
            });
            long peak = 0;
            for (int i = 0; i < messages; i++) {
                assertThat(publisher
                                .expect(BaseCommand.Type.SEND_RECEIPT)
                                .getSendReceipt()
                                .getSequenceId())
                        .isEqualTo(i);
                if (i % 100 == 0) {
                    neighbour.publish(1, i, "unharmed");
                    peak = Math.max(peak, directBytes() - directBefore);
                }
            }
            sent.get(60, TimeUnit.SECONDS);
            read.get(60, TimeUnit.SECONDS);
            assertThat(peak).as("direct memory while 250 MiB were published").isLessThan(100 * MIB);
            expectMessages(sleeper, messages);
        }
    }

    @Test
    @Behaviour({"PRO-6", "PRO-3"})
    void aClientThatAsksAndDoesNotReadIsNotReadUntilItDoes() throws Exception {
        String invalid = "a/b/c/d/" + "e".repeat(900); // the answer repeats it
        floodWithRequests(
                BaseCommand.Type.LOOKUP_RESPONSE,
                id -> frame(
                        BaseCommand.Type.LOOKUP,
                        c -> c.setLookupTopic().setTopic(invalid).setRequestId(id)));
    }

    @Test
    @Behaviour({"PRO-6", "PRO-3"})
    void aClientThatAsksItsDispatcherAndDoesNotReadIsNotReadUntilItDoes() throws Exception {
        byte[] padding = redeliver();
        floodWithRequests(
                BaseCommand.Type.GET_LAST_MESSAGE_ID_RESPONSE,
                id -> joined(
                        padding,
                        frame(
                                BaseCommand.Type.GET_LAST_MESSAGE_ID,
                                c -> c.setGetLastMessageId().setConsumerId(1).setRequestId(id))));
    }

    private void floodWithRequests(BaseCommand.Type answer, LongFunction<byte[]> request) throws Exception {
        try (ServerFixture broker = new ServerFixture(config(), new DiskFiles(), PATIENT);
                RawClient flooding = RawClient.connectNarrow(broker.port());
                RawClient neighbour = RawClient.connect(broker.port())) {
            subscribe(flooding, "sub");
            neighbour.producer(1, "elsewhere");
            Flood flood = new Flood(flooding, request);
            awaitStall(List.of(flood));
            assertThat(directBytes() - directBefore).isLessThan(60 * MIB);
            neighbour.publish(1, 1, "unharmed");
            flood.expectAnswers(i -> {
                BaseCommand reply = flooding.expect(answer);
                assertThat(
                                reply.hasLookupTopicResponse()
                                        ? reply.getLookupTopicResponse().getRequestId()
                                        : reply.getGetLastMessageIdResponse().getRequestId())
                        .isEqualTo(i);
            });
            flooding.expectAlive();
        }
    }

    @Test
    @Behaviour("PRO-6")
    void commandsThatNobodyAnswersAreNotReadWhileTheJournalHoldsThemUp() throws Exception {
        try (ServerFixture broker = new ServerFixture(config(), heldDisk(), PATIENT);
                RawClient flooding = RawClient.connect(broker.port());
                RawClient neighbour = RawClient.connect(broker.port())) {
            neighbour.producer(1, "flood");
            neighbour.publish(1, 1, "acknowledged for ever");
            subscribe(flooding, "sub");
            var id = flooding.expect(BaseCommand.Type.MESSAGE).getMessage().getMessageId();
            byte[] ack = frame(
                    BaseCommand.Type.ACK,
                    c -> c.setAck()
                            .setConsumerId(1)
                            .setAckType(AckType.Individual)
                            .addMessageId()
                            .setLedgerId(id.getLedgerId())
                            .setEntryId(id.getEntryId()));
            byte[] flow = frame(
                    BaseCommand.Type.FLOW, c -> c.setFlow().setConsumerId(1).setMessagePermits(1));
            List<byte[]> kinds = List.of(ack, flow, redeliver());
            forcesHeld.set(true);
            Flood flood = new Flood(flooding, i -> kinds.get((int) (i % 3)));
            awaitStall(List.of(flood));
            assertThat(directBytes() - directBefore).isLessThan(60 * MIB);
            neighbour.expectAlive();
            forcesHeld.set(false);
            flood.end();
            flooding.expectAlive();
        }
    }

    @Test
    @Behaviour({"PRO-6", "PRO-3"})
    void publishersFasterThanTheDiskAreNotReadAndEveryReceiptComesInTheEnd() throws Exception {
        int publishers = 6;
        String payload = "x".repeat(64 << 10);
        ServerSettings settings = PATIENT.withMaxPendingPublishBytes(24 * MIB);
        List<RawClient> clients = new ArrayList<>();
        try (ServerFixture broker = new ServerFixture(config(), heldDisk(), settings);
                RawClient neighbour = RawClient.connect(broker.port())) {
            for (int i = 0; i < publishers; i++) {
                clients.add(RawClient.connect(broker.port()));
                clients.get(i).producer(1, "flood-" + i);
            }
            RawClient hasty = RawClient.connect(broker.port());
            hasty.producer(1, "hasty");
            forcesHeld.set(true);
            for (int round = 0; round < 4; round++) {
                for (int i = 0; i < 200; i++) {
                    hasty.write(WireFrames.send(1, i, payload.substring(0, 8 << 10)));
                }
                hasty.close();
                hasty = RawClient.connect(broker.port());
                hasty.producer(1, "flood-0");
            }
            List<Flood> floods = clients.stream()
                    .map(client -> new Flood(client, i -> WireFrames.send(1, i, payload)))
                    .toList();
            awaitStall(floods);
            assertThat(directBytes() - directBefore)
                    .as("direct memory while nothing more is read")
                    .isLessThan(70 * MIB);
            neighbour.expectAlive();
            hasty.close();
            floods.forEach(Flood::stop);
            forcesHeld.set(false);
            for (Flood flood : floods) {
                flood.expectAnswers(i -> assertThat(flood.client
                                .expect(BaseCommand.Type.SEND_RECEIPT)
                                .getSendReceipt()
                                .getSequenceId())
                        .isEqualTo(i));
            }
        } finally {
            for (RawClient client : clients) {
                client.close();
            }
        }
    }

    private LogConfig config() {
        return LogConfig.defaults(folder).withJournal(8 << 20, 2).withMemory(8 << 20, 8 << 20);
    }

    private SlowDisk heldDisk() {
        Consumer<ForcePoint> hold = point -> {
            while (point == ForcePoint.JOURNAL_GROUP && forcesHeld.get()) {
                LockSupport.parkNanos(1_000_000);
            }
        };
        return new SlowDisk(hold);
    }

    private static byte[] redeliver() {
        return frame(BaseCommand.Type.REDELIVER_UNACKNOWLEDGED_MESSAGES, c -> {
            c.setRedeliverUnacknowledgedMessages().setConsumerId(1);
            for (int i = 0; i < 20; i++) {
                c.getRedeliverUnacknowledgedMessages()
                        .addMessageId()
                        .setLedgerId(1_000_000_000_000L)
                        .setEntryId(i);
            }
        });
    }

    private static byte[] frame(BaseCommand.Type type, Consumer<BaseCommand> fill) {
        return WireFrames.frame(WireFrames.command(type, fill));
    }

    private static byte[] joined(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    private static void subscribe(RawClient client, String subscription) throws Exception {
        client.sendSubscribe(1, "flood", SubType.Exclusive, s -> s.setSubscription(subscription));
        client.expect(BaseCommand.Type.SUCCESS);
        client.flow(1, 1_000_000);
    }

    private static Void expectMessages(RawClient client, int count) throws Exception {
        long ledger = -1;
        long entry = -1;
        for (int i = 0; i < count; i++) {
            var id = client.expect(BaseCommand.Type.MESSAGE).getMessage().getMessageId();
            boolean isNext = id.getLedgerId() == ledger
                    ? id.getEntryId() == entry + 1
                    : id.getLedgerId() > ledger && id.getEntryId() == 0;
            assertThat(isNext)
                    .as("%d:%d after %d:%d", id.getLedgerId(), id.getEntryId(), ledger, entry)
                    .isTrue();
            ledger = id.getLedgerId();
            entry = id.getEntryId();
        }
        return null;
    }

    /** Expects the answer to a request. */
    private interface Answer {
        void to(long number) throws IOException;
    }

    /** A thread that writes until it is told to end: how much the system takes that the broker has not read depends on the machine. */
    private final class Flood {
        final RawClient client;
        final AtomicLong written = new AtomicLong();
        private final AtomicLong writtenBytes = new AtomicLong();
        private final AtomicBoolean isToEnd = new AtomicBoolean();
        private final Future<Void> writing;

        Flood(RawClient client, LongFunction<byte[]> frame) {
            this.client = client;
            writing = threads.submit(() -> {
                while (!isToEnd.get()) {
                    byte[] next = frame.apply(written.get());
                    client.write(next);
                    written.incrementAndGet();
                    writtenBytes.addAndGet(next.length);
                }
                return null;
            });
        }

        /** Writes nothing more than what is being written. */
        void stop() {
            isToEnd.set(true);
        }

        /** The same, and waits until the broker takes it. */
        void end() throws Exception {
            stop();
            writing.get(60, TimeUnit.SECONDS);
        }

        /** The same, and takes the answers to all that was written. */
        void expectAnswers(Answer answer) throws Exception {
            stop();
            long answered = 0;
            while (!writing.isDone() || answered < written.get()) {
                if (answered < written.get()) {
                    answer.to(answered++);
                } else {
                    LockSupport.parkNanos(10_000);
                }
            }
            writing.get(60, TimeUnit.SECONDS);
        }
    }

    /** Waits until the broker has stopped reading: nothing more can be written for half a second. */
    private static void awaitStall(List<Flood> floods) {
        long before = -1;
        int unchanged = 0;
        while (unchanged < 20) {
            long now =
                    floods.stream().mapToLong(flood -> flood.writtenBytes.get()).sum();
            unchanged = now == before ? unchanged + 1 : 0;
            before = now;
            assertThat(now).as("bytes written while nothing was answered").isLessThan(floods.size() * MOST_BYTES);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(25));
        }
    }

    private static long directBytes() {
        long used = Math.max(0, PlatformDependent.usedDirectMemory());
        for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
            used += pool.getName().equals("direct") ? pool.getMemoryUsed() : 0;
        }
        return used;
    }
}
