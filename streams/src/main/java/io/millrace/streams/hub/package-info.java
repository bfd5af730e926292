/** What users say to hubs: settings, where a consumer joins, what becomes of a slow one, who gets which element. */
@NullMarked
package io.millrace.streams.hub;

import org.jspecify.annotations.NullMarked;
