package io.millrace.broker.dispatch;

/** Why the broker refused a request; the protocol maps each kind to one error code of the wire. */
public enum ErrorKind {
    /** The subscription is taken by another consumer, is of another type, or has no room. */
    CONSUMER_BUSY,
    /** The key hashes that a consumer claims belong to another, or are invalid. */
    CONSUMER_ASSIGN,
    /** The producer name is taken, or the topic has no room for another producer. */
    PRODUCER_BUSY,
    /** A newer producer took this producer's place. */
    PRODUCER_FENCED,
    /** There is no such tenant. */
    TENANT_NOT_FOUND,
    /** There is no such namespace. */
    NAMESPACE_NOT_FOUND,
    /** There is no such topic. */
    TOPIC_NOT_FOUND,
    /** There is no such subscription. */
    SUBSCRIPTION_NOT_FOUND,
    /** The topic's name does not parse. */
    INVALID_TOPIC_NAME,
    /** It exists already, or holds something that must go first. */
    CONFLICT,
    /** Clients are connected to it. */
    IN_USE,
    /** The topic has no schema, or no such version of it. */
    SCHEMA_NOT_FOUND,
    /** The schema may not follow those that the topic has. */
    INCOMPATIBLE_SCHEMA,
    /** The definition is not one of the schema's type. */
    INVALID_SCHEMA,
    /** The topic takes no more messages. */
    TOPIC_TERMINATED,
    /** The request is not valid in the present state, whichever client sends it. */
    NOT_ALLOWED,
    /** A policy of the topic or of its namespace allows no more of them. */
    POLICY_LIMIT,
    /** The backlog is beyond its quota: no producer is taken until there is room. */
    QUOTA_HELD,
    /** The same, and what is published meanwhile fails. */
    QUOTA_EXCEEDED,
    /** The log could not make the change durable. */
    PERSISTENCE_ERROR,
    /** The topic or subscription is opening or closing: trying again helps. */
    SERVICE_NOT_READY,
    /** The broker does not have this feature. */
    UNSUPPORTED,
    /** A limit on requests in flight was reached. */
    TOO_MANY_REQUESTS,
    /** The bytes do not match their checksum. */
    CHECKSUM
}
