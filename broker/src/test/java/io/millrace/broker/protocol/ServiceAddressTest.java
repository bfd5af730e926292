package io.millrace.broker.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testkit.Behaviour;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

class ServiceAddressTest {
    @Test
    @Behaviour("PRO-7")
    void withoutASettingTheClientIsToldTheAddressItReached() throws Exception {
        assertThat(url(null, "192.0.2.7")).isEqualTo("pulsar://192.0.2.7:6650");
        assertThat(url(null, "2001:db8::1")).isEqualTo("pulsar://[2001:db8:0:0:0:0:0:1]:6650");
    }

    @Test
    @Behaviour("PRO-7")
    void theAdvertisedAddressIsToldWithItsOwnPortOrTheBoundOne() throws Exception {
        assertThat(url("broker.example", "127.0.0.1")).isEqualTo("pulsar://broker.example:6650");
        assertThat(url("broker.example:7000", "127.0.0.1")).isEqualTo("pulsar://broker.example:7000");
        assertThat(url("pulsar://broker.example:7000", "127.0.0.1")).isEqualTo("pulsar://broker.example:7000");
        assertThat(url("2001:db8::1", "127.0.0.1")).isEqualTo("pulsar://[2001:db8::1]:6650");
        assertThat(url("[2001:db8::1]:7000", "127.0.0.1")).isEqualTo("pulsar://[2001:db8::1]:7000");
    }

    /** Behind a mapped port the address that the broker knows is not the one that the client came by. */
    @Test
    @Behaviour("PRO-7")
    void whereNobodySaidAnAddressOthersCanUseTheClientStaysWithItsOwn() throws Exception {
        for (String address : new String[] {null, "localhost", "127.0.0.1", "127.1.2.3:7000", "::1", "[::1]:7000"}) {
            assertThat(address(address, "127.0.0.1").isProxied()).as(address).isTrue();
        }
        for (String address : new String[] {"broker.example", "192.0.2.7", "127.example:1", "localhost.example"}) {
            assertThat(address(address, "127.0.0.1").isProxied()).as(address).isFalse();
        }
    }

    private static String url(String advertised, String reached) throws Exception {
        return address(advertised, reached).url();
    }

    private static ServiceAddress address(String advertised, String reached) throws Exception {
        return ServiceAddress.of(advertised, new InetSocketAddress(InetAddress.getByName(reached), 6650));
    }
}
