package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.log.LogConfig;
import io.millrace.broker.protocol.AdvertisedListeners;
import io.millrace.broker.setting.MachineSetting;
import io.millrace.broker.setting.NumberSetting;
import io.millrace.broker.setting.Setting;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BrokerConfigTest {
    private static final Path EXAMPLE = Path.of("..", "conf", "millrace.properties");

    @TempDir
    Path folder;

    @Test
    void theExampleFileSaysTheDefaults() throws IOException {
        assertThat(BrokerConfig.load(EXAMPLE)).isEqualTo(BrokerConfig.defaults(Path.of("data")));
    }

    /** Or a broker in a small container would take more than it has. */
    @Test
    void theExampleFileLeavesOpenWhatTheMachineDecides() throws IOException {
        Properties example = new Properties();
        try (Reader reader = Files.newBufferedReader(EXAMPLE)) {
            example.load(reader);
        }
        List<String> keys =
                List.of("max-pending-publish-bytes", "max-schema-bytes", "tail-cache-bytes", "read-ahead-bytes");
        assertThat(BrokerConfig.settings())
                .filteredOn(MachineSetting.class::isInstance)
                .extracting(Setting::key)
                .containsExactlyInAnyOrderElementsOf(keys);
        assertThat(keys).allSatisfy(key -> assertThat(example).containsEntry(key, ""));
    }

    @Test
    void anEmptyFileMeansTheDefaults() throws IOException {
        assertThat(load("# nothing\n")).isEqualTo(BrokerConfig.defaults(Path.of("data")));
    }

    @Test
    void aSetKeyReplacesItsDefaultOnly() throws IOException {
        BrokerConfig config = load("port=7000\nadvertised-address = broker.example\nmax-message-bytes=2_048");
        assertThat(config.server().address().port()).isEqualTo(7000);
        assertThat(config.server().address().advertisedAddress()).isEqualTo("broker.example");
        assertThat(config.server().limits().maxMessageBytes()).isEqualTo(2048);
        assertThat(config.log()).isEqualTo(LogConfig.defaults(Path.of("data")));
    }

    @Test
    void anUnknownKeyIsRefusedAndTheKnownOnesAreNamed() {
        assertRefused("prot=6650", "prot", "known keys are", "port", "bind-address");
    }

    @Test
    void aFileInAnotherEncodingIsNamed() throws IOException {
        Path file =
                Files.write(folder.resolve("latin.properties"), "# für alle\n".getBytes(StandardCharsets.ISO_8859_1));
        assertThatThrownBy(() -> BrokerConfig.load(file))
                .isInstanceOf(IOException.class)
                .hasMessage(file + " is not in UTF-8");
    }

    /** The URLs that it prints have that name. */
    @Test
    void theNameThatItIsBoundToIsOneOfItsOwn() throws IOException {
        assertThat(load("bind-address=broker.example\nadvertised-address=other.example")
                        .server()
                        .address()
                        .names())
                .containsExactlyInAnyOrder("broker.example", "other.example");
    }

    @Test
    void advertisedListenersHaveANameAndAnAddressEach() throws IOException {
        AdvertisedListeners listeners =
                load("advertised-listeners = a:pulsar://localhost:6650, b.c-d:pulsar://[2001:db8::1]:1")
                        .server()
                        .address()
                        .listeners();
        assertThat(listeners.names()).containsExactly("a", "b.c-d");
        assertThat(listeners.address("b.c-d")).isEqualTo("pulsar://[2001:db8::1]:1");
        for (String wrong : new String[] {
            "a",
            "a:localhost:1",
            "a:pulsar://x",
            "a:pulsar://x:70000",
            "a:pulsar+ssl://x:1",
            "a:pulsar://x:1,",
            "a:pulsar://x:1,a:pulsar://y:1",
            "a:http://x:1",
            "a b:pulsar://x:1",
            "a:pulsar://x y:1"
        }) {
            assertRefused("advertised-listeners=" + wrong, "advertised-listeners", wrong, "name:pulsar://host:port");
        }
    }

    @Test
    void aValueOutOfRangeIsRefusedWithKeyValueAndRange() {
        assertRefused("port=70000", "port", "70000", "0 to 65535");
        assertRefused("journal-files=1", "journal-files", "1", "2 to 1000");
        assertRefused("max-message-bytes=99999999999", "max-message-bytes", "99999999999");
    }

    @Test
    void everyNumberIsRefusedBeyondItsRangeWithKeyValueAndRange() {
        List<NumberSetting> numbers = BrokerConfig.settings().stream()
                .map(setting -> setting instanceof MachineSetting machine ? machine.number() : setting)
                .filter(NumberSetting.class::isInstance)
                .map(NumberSetting.class::cast)
                .toList();
        assertThat(numbers).hasSizeGreaterThan(15);
        for (NumberSetting each : numbers) {
            for (long value : new long[] {each.min() - 1, each.max() + 1}) {
                String set = each.key() + "=" + value;
                assertRefused(set, each.key() + " is " + value, " from " + each.min() + " to " + each.max());
            }
        }
    }

    @Test
    void aJournalFileThatCannotHoldTheLargestMessageIsRefused() {
        assertRefused("journal-file-bytes=5_242_880", "journal-file-bytes", "5242880", "max-message-bytes");
    }

    @Test
    void aJournalFileThatNobodySetHoldsTheLargestMessage() throws IOException {
        assertThat(load("max-message-bytes=41_943_040").log().journal().fileBytes())
                .isEqualTo(41_943_040 + 65_536);
        assertThat(load("max-message-bytes=10_485_760").log()).isEqualTo(LogConfig.defaults(Path.of("data")));
        assertRefused(
                "max-message-bytes=41_943_040\njournal-file-bytes=33_554_432",
                "journal-file-bytes",
                "max-message-bytes");
    }

    @Test
    void aValueThatIsNoNumberOrNoAddressIsRefused() {
        assertRefused("port=http", "port is 'http'", "whole number from 0 to 65535");
        assertRefused("bind-address=two words", "bind-address", "two words", "host name or an IP address");
        for (String wrong : List.of("b:70000", "b:", "b:x", "http://b:1", "a,b", "[::1", "a b", "pulsar://", "b/c")) {
            assertRefused("advertised-address=" + wrong, "advertised-address", wrong, "with or without a port");
        }
    }

    @Test
    void theReachableAddressIsTheAdvertisedOneOrElseTheBindAddress() {
        BrokerConfig config = BrokerConfig.defaults(folder);
        assertThat(config.reachableAddress(7)).isEqualTo("127.0.0.1:7");
        assertThat(config.withBindAddress("0.0.0.0").reachableAddress(7)).isEqualTo("localhost:7");
        assertThat(config.withBindAddress("::1").reachableAddress(7)).isEqualTo("[::1]:7");
        assertThat(config.withAdvertisedAddress("b.example").reachableAddress(7))
                .isEqualTo("b.example:7");
        assertThat(config.withAdvertisedAddress("b.example:8").reachableAddress(7))
                .isEqualTo("b.example:8");
        assertThat(config.withAdvertisedAddress("[::1]:8").reachableAddress(7)).isEqualTo("[::1]:8");
        assertThat(config.withAdvertisedAddress("[::1]").reachableAddress(7)).isEqualTo("[::1]:7");
        assertThat(config.withAdvertisedAddress("fe80::1%eth0").reachableAddress(7))
                .isEqualTo("[fe80::1%eth0]:7");
        assertThat(config.withAdvertisedAddress("pulsar://b.example:8").reachableAddress(7))
                .isEqualTo("b.example:8");
    }

    @Test
    void aMissingFileIsNamed() {
        Path missing = folder.resolve("absent.properties");
        assertThatThrownBy(() -> BrokerConfig.load(missing))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(missing.toString());
    }

    private BrokerConfig load(String text) throws IOException {
        return BrokerConfig.load(Files.writeString(folder.resolve("broker.properties"), text));
    }

    private void assertRefused(String text, String... parts) {
        assertThatThrownBy(() -> load(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("broker.properties")
                .hasMessageContainingAll(parts);
    }
}
