package io.millrace.spring;

/** The broker's HTTP side, for applications that use Pulsar's admin client. */
final class Administration {
    private Administration() {}

    static UnsupportedOperationException missing() {
        return new UnsupportedOperationException(
                "Millrace has no admin API over HTTP, so an application that uses PulsarAdmin cannot be tested with it");
    }
}
