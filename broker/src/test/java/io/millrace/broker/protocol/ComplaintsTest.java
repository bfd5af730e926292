package io.millrace.broker.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.Behaviour;
import io.millrace.wire.BaseCommand;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class ComplaintsTest {
    private static final Pattern LEFT_OUT = Pattern.compile("(\\d+) more connections");

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final PrintStream console = System.err;
    private final ByteArrayOutputStream captured = new ByteArrayOutputStream();

    @BeforeEach
    void captureTheLog() {
        System.setErr(new PrintStream(captured, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void restoreTheConsole() {
        System.setErr(console);
        timer.shutdownNow();
    }

    @Test
    @Behaviour("PRO-1")
    void ofOneAddressAndKindAFewLinesAreLoggedAndTheRestIsCounted() throws Exception {
        Complaints complaints = new Complaints(timer, Duration.ofHours(1));
        tell(complaints, "10.0.0.7", Complaints.Kind.BAD_INPUT, 100);
        tell(complaints, "10.0.0.7", Complaints.Kind.SILENCE, 1);
        tell(complaints, "10.0.0.8", Complaints.Kind.BAD_INPUT, 1);
        assertThat(lines("number")).isEqualTo(Complaints.MAX_LINES + 2);
        assertThat(log()).doesNotContain("more connections");
        complaints.close();
        assertThat(log())
                .contains("10.0.0.7: " + (100 - Complaints.MAX_LINES) + " more connections closed for bad input");
        assertThat(lines("more connections")).isEqualTo(1);
    }

    @Test
    @Behaviour("PRO-1")
    void whatWasLeftOutIsToldAtTheEndOfTheInterval() throws Exception {
        Complaints complaints = new Complaints(timer, Duration.ofMillis(20));
        tell(complaints, "10.0.0.7", Complaints.Kind.BAD_INPUT, 1_000);
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (lines("number") + leftOut() < 1_000 && System.nanoTime() < deadlineNanos) {
            LockSupport.parkNanos(1_000_000);
        }
        assertThat(lines("number") + leftOut()).isEqualTo(1_000);
    }

    @Test
    @Behaviour("PRO-1")
    void aFloodOfAddressesSharesItsLines() throws Exception {
        Complaints complaints = new Complaints(timer, Duration.ofHours(1));
        for (int i = 0; i < Complaints.MAX_TALLIES + 500; i++) {
            tell(complaints, "10.1." + i / 250 + "." + i % 250, Complaints.Kind.BAD_INPUT, 1);
        }
        assertThat(lines("number")).isEqualTo(Complaints.MAX_TALLIES + Complaints.MAX_LINES);
        complaints.close();
        assertThat(log()).contains("other addresses: " + (500 - Complaints.MAX_LINES) + " more connections");
    }

    @ParameterizedTest
    @EnumSource
    @Behaviour("PRO-1")
    void aCommandWithoutItsFieldsIsNoFailureOfTheBroker(BaseCommand.Type type, @TempDir Path folder) throws Exception {
        try (ServerFixture broker = new ServerFixture(folder);
                RawClient client = RawClient.connect(broker.port())) {
            client.write(WireFrames.frame(new BaseCommand().setType(type)));
            client.writeUntilClosed(WireFrames.frame(WireFrames.command(BaseCommand.Type.PING, BaseCommand::setPing)));
            BaseCommand answer = client.receive();
            while (answer != null && answer.getType() != BaseCommand.Type.PONG) {
                answer = client.receive();
            }
        }
        assertThat(log()).doesNotContain("failure").doesNotContain("could not be handled");
    }

    @Test
    @Behaviour("PRO-1")
    void fieldsThatLieTooDeepWithinEachOtherAreNoFailureOfTheBroker(@TempDir Path folder) throws Exception {
        try (ServerFixture broker = new ServerFixture(folder);
                RawClient client = RawClient.connect(broker.port())) {
            client.writeUntilClosed(WireFrames.deepAck(200_000));
            client.expectClosed();
            try (RawClient neighbour = RawClient.connect(broker.port())) {
                neighbour.expectAlive();
            }
        }
        assertThat(log()).contains("too deep").doesNotContain("failure");
    }

    private static void tell(Complaints complaints, String address, Complaints.Kind kind, int times) throws Exception {
        for (int i = 0; i < times; i++) {
            complaints.tell(
                    new InetSocketAddress(InetAddress.getByName(address), 1_000 + i), kind, "number " + i, null);
        }
    }

    private String log() {
        return captured.toString(StandardCharsets.UTF_8);
    }

    private long lines(String text) {
        return log().lines().filter(line -> line.contains(text)).count();
    }

    private long leftOut() {
        long sum = 0;
        Matcher found = LEFT_OUT.matcher(log());
        while (found.find()) {
            sum += Long.parseLong(found.group(1));
        }
        return sum;
    }
}
