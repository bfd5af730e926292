package io.millrace.compatibility.scenario;

/**
 * All that scenarios know of a broker.
 *
 * @param serviceUrl {@code pulsar://host:port}
 * @param adminUrl {@code http://host:port}
 */
public record Target(String serviceUrl, String adminUrl) {}
