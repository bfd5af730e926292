/**
 * Names: which tenants, namespaces, topics and partitioned topics there are. One stage owns them all, so whatever is done
 * to a name is done by one verb at a time; what it does is one change of the log, durable as a whole or not at all.
 *
 * <pre>
 *   protocol sessions, streams in this process, admin
 *        |  open, partitionsOf, create, grow, delete, list, watch
 *        v
 *   Namespaces  --one message each--&gt;  NamespaceStage
 *                                          |-- NamespaceVerbs   tenants, namespaces, policies     --.
 *                                          |-- PartitionVerbs   partitioned topics                  +-- NameTable, as the log has it
 *                                          |-- SchemaVerbs      schemas of topics                   |
 *                                          '-- TopicVerbs       open, delete, terminate, truncate --'   NamesInChange, what is under way
 *                                                 |         |
 *                                  open, release  v         v  values and topics, changed together
 *                                              Topics    BrokerLog.change
 * </pre>
 *
 * <p>Read {@link io.millrace.broker.namespace.Namespaces} first, then {@code NamespaceStage}, then the verbs. Entries never
 * come here: a session asks once for a topic and talks to it from then on.
 */
@NullMarked
package io.millrace.broker.namespace;

import org.jspecify.annotations.NullMarked;
