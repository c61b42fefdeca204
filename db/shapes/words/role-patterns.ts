import type { ColumnRole } from "../../stores/port/mapping.ts";
import type { Concept } from "./concepts.ts";
import type { Pattern } from "./match-words.ts";

/** `10 published time | flag`: the weight, the required words, and after the bar the optional ones. */
export function patterns(...lines: string[]): readonly Pattern[] {
  return lines.map((line) => {
    const [needed = "", more = ""] = line.split("|").map((part) => part.trim().split(/\s+/).filter(Boolean).join(" "));
    const [weight = "0", ...required] = needed.split(" ");
    return {
      weight: Number(weight),
      required: required as Concept[],
      optional: more.split(" ").filter(Boolean) as Concept[],
    };
  });
}

/** Names of columns by role. A column has the role whose pattern fits it best; its type must fit too. */
export const ROLE_PATTERNS: Readonly<Record<ColumnRole, readonly Pattern[]>> = {
  status: patterns("10 status | send published sent processed pending"),
  publishedAt: patterns(
    "10 published time",
    "9.5 sent time | after",
    "9 processed time",
    "8 consumed time",
    "7 publication time",
    "8.8 published | flag",
    "8.6 sent | flag",
    "8.4 processed | flag",
    "7.5 consumed | flag",
  ),
  lastError: patterns(
    "10 last error | message detail reason",
    "9.5 error message | detail",
    "9 error | detail reason send",
    "9 failed reason | last message",
    "8 failed message | last",
  ),
  attempts: patterns(
    "10 attempt count | send failed processed",
    "10 attempt | send failed count published processed publication",
    "9 send count | failed",
    "8.5 sent count",
    "8.5 failed count",
    "8 error count",
  ),
  availableAt: patterns(
    "10 next attempt | time send",
    "10 next time | send",
    "9.8 next send time",
    "9.5 next send",
    "9.5 available time | after",
    "9.5 available after",
    "9.5 not before | time",
    "9.3 attempt time",
    "9.3 attempt after | time",
    "9 send after | time",
    "9 send not before",
  ),
  lockedUntil: patterns("10 lock until | time", "10 lock expire | time"),
  lockedBy: patterns("10 lock by", "9 by lock | id"),
  expiresAt: patterns("10 expire time", "9 expire", "9 valid until | time"),
  headers: patterns("10 headers | format", "8 metadata | format"),
  payload: patterns(
    "10 payload | format data",
    "9 payload | format data value",
    "8 data | format",
    "7 message value | format",
    "7 value broker | format",
    "7 event format",
    "6.5 message format",
    "4 message",
    "3.5 format",
    "3 event",
    "3 value",
  ),
  aggregateType: patterns(
    "10 aggregate type | name",
    "9 aggregate name",
    "8.5 entity type | name",
    "8 stream type",
    "7.5 resource type | name",
    "7 aggregate",
    "6 entity | name",
  ),
  aggregateId: patterns(
    "10 aggregate id | aggregate",
    "9.8 aggregate key",
    "9 entity id | key",
    "8.8 stream id",
    "8.5 partition key",
    "8 event key",
    "8 message key",
    "8 record key",
    "7.8 key",
    "7.5 resource id",
    "7 business id",
    "7 business key",
    "6 partition id",
    "7 message group id",
    "7 group key",
    "5.5 stream",
  ),
  eventType: patterns(
    "10 event type | name",
    "9 message type | name",
    "8.5 type | name",
    "8 event name",
    "7.8 message name",
    "5 action | type name",
    "4.5 event",
    "4 name",
  ),
  topic: patterns("10 topic | name broker address", "9 routing key", "8.5 topic address", "6 channel name"),
  createdAt: patterns(
    "10 created time",
    "9.6 inserted time",
    "9.8 occurred time",
    "9 created",
    "8.8 event time",
    "8.6 message time",
    "8.5 occurred",
    "8.3 inserted",
    "8 time",
    "6 published time",
    "6 publication time",
    "5.9 sent time",
  ),
  order: patterns("10 sequence | count global id", "8 event sequence count"),
  traceId: patterns("10 trace id", "9.5 trace"),
  id: patterns("10 id", "9 event id | event", "9 message id", "8.8 outbox id | event message", "8.5 record id"),
};
