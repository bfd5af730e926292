package io.millrace.compatibility.scenario;

import java.util.Set;

/** Fields of JSON that no two runs have alike: times, rates, sizes, addresses, and names that a broker makes. A value in one of them is written as {@code ~}. */
final class Volatile {
    static final String MASK = "~";

    private static final Set<String> FIELDS = Set.of(
            "address",
            "averageMsgSize",
            "brokerId",
            "brokerServiceUrl",
            "bytesInCounter",
            "bytesOutCounter",
            "chunkedMessageRate",
            "clientVersion",
            "connectedSince",
            "consumerName",
            "activeConsumerName",
            "dispatchThrottledBytesEventsByBrokerLimit",
            "dispatchThrottledBytesEventsByTopicLimit",
            "dispatchThrottledMsgEventsByBrokerLimit",
            "dispatchThrottledMsgEventsByTopicLimit",
            "firstMessagesSentTimestamp",
            "lastAckedTime",
            "lastConsumedTime",
            "lastAckedTimestamp",
            "lastConsumedFlowTimestamp",
            "lastConsumedTimestamp",
            "lastMarkDeleteAdvancedTimestamp",
            "lastSentMarkerTimestamp",
            "lastExpireTimestamp",
            "firstConsumedFlowTimestamp",
            "lastConfirmedEntry",
            "lastLedgerCreatedTimestamp",
            "ledgerId",
            "ownerBroker",
            "producerName",
            "producerId",
            "serviceUrl",
            "size",
            "storageSize",
            "messageAckRate",
            "msgDropRate",
            "offloadedStorageSize",
            "currentLedgerSize",
            "totalSize",
            "timestamp",
            "topicCreationTimeStamp",
            "lastPublishTimeStamp",
            "url");

    private Volatile() {}

    static boolean is(String field) {
        return FIELDS.contains(field)
                || field.startsWith("msgRate")
                || field.contains("Throughput")
                || field.contains("backlogSize")
                || field.startsWith("oldestBacklogMessage")
                || field.startsWith("backlogQuotaLimit");
    }
}
