package io.millrace.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class SharedBrokersTest {
    @TempDir
    Path folder;

    @Test
    void theBrokersEndWithTheLastSessionAndStartAnewAfterIt() {
        SharedBrokers brokers = new SharedBrokers();
        brokers.sessionOpened();
        brokers.sessionOpened();
        RunningBroker first = brokers.broker(null);
        brokers.sessionClosed();
        assertThat(brokers.broker(null)).isSameAs(first);
        brokers.sessionClosed();
        assertThat(Files.exists(first.folder())).isFalse();

        brokers.sessionOpened();
        assertThat(brokers.broker(null)).isNotSameAs(first);
        brokers.sessionClosed();
    }

    @Test
    void eachNamedFolderHasABrokerAndTheSameNamespaceAtEachUse() {
        SharedBrokers brokers = new SharedBrokers();
        brokers.sessionOpened();
        RunningBroker temporary = brokers.broker(null);
        RunningBroker kept = brokers.broker(folder);
        assertThat(kept).isNotSameAs(temporary);
        assertThat(brokers.broker(folder.resolve("..").resolve(folder.getFileName())))
                .isSameAs(kept);
        assertThat(brokers.namespace(Samples.Another.class, true))
                .isEqualTo(brokers.namespace(Samples.Another.class, true));
        assertThat(brokers.namespace(Samples.Another.class, false))
                .isNotEqualTo(brokers.namespace(Samples.Another.class, false));
        brokers.sessionClosed();
        assertThat(folder).isNotEmptyDirectory();
    }

    @Test
    void oneThatATestClosedIsStartedAnew() {
        SharedBrokers brokers = new SharedBrokers();
        brokers.sessionOpened();
        RunningBroker temporary = brokers.broker(null);
        RunningBroker kept = brokers.broker(folder);
        temporary.broker().close();
        kept.broker().close();
        for (RunningBroker again : List.of(brokers.broker(null), brokers.broker(folder))) {
            again.broker().createNamespace("test/again");
        }
        assertThat(brokers.broker(folder).folder()).isEqualTo(kept.folder());
        assertThat(temporary.folder()).doesNotExist();
        brokers.sessionClosed();
    }

    @Test
    void oneThatCannotBeClosedIsToldAndKeepsNoneOfTheOthersOpen() throws Exception {
        SharedBrokers brokers = new SharedBrokers();
        brokers.sessionOpened();
        RunningBroker kept = brokers.broker(folder);
        RunningBroker temporary = brokers.broker(null);
        try (UndeletableFolder undeletable = UndeletableFolder.in(temporary.folder())) {
            assertThatThrownBy(brokers::sessionClosed)
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining(undeletable.folder().toString());
        }
        assertThatThrownBy(() -> kept.broker().createNamespace("test/late")).hasMessageContaining("closing");

        brokers.sessionOpened();
        assertThat(brokers.broker(folder)).isNotSameAs(kept);
        brokers.sessionClosed();
    }
}
