/**
 * Schemas: what a topic's messages are made of, in versions, and which change of it may follow which.
 *
 * <pre>
 *   SchemaContent --  the type, the definition, properties: as clients send and get them
 *   TopicSchemas  --  the versions of one topic, each with the digest of its content
 *   SchemaTable   --  all of them as the log has them, and how often each content is used
 *   SchemaRules   --  whether a definition is sound, and whether it may follow others:
 *                     AvroRules, KeyValueParts, NativeProtobuf know the types
 * </pre>
 *
 * <p>The table is owned by the namespaces' stage; the rules are functions, for threads that may take long.
 */
@NullMarked
package io.millrace.broker.schema;

import org.jspecify.annotations.NullMarked;
