package io.millrace.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.BrokerConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class RunningBrokerTest {
    @TempDir
    Path folder;

    @Test
    void oneThatDoesNotStartLeavesNoFolderBehindUnlessItWasNamed() throws IOException {
        Path temporary = Files.createDirectory(folder.resolve("temporary"));
        Path named = Files.createDirectory(folder.resolve("named"));
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            refused(temporary, false, taken.getLocalPort());
            refused(named, true, taken.getLocalPort());
        }
        assertThat(temporary).doesNotExist();
        assertThat(named).isNotEmptyDirectory();
    }

    private static void refused(Path data, boolean isKept, int port) {
        BrokerConfig config = BrokerConfig.defaults(data).withPort(port);
        assertThatThrownBy(() -> RunningBroker.start(config, isKept))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(String.valueOf(port));
    }
}
