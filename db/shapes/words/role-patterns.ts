import type { ColumnRole } from "../../stores/port/mapping.ts";
import { type Concept, isConcept } from "./concepts.ts";
import type { Pattern } from "./match-words.ts";

/** `10 published time | flag`: the weight, the required words, and after the bar the optional ones. */
export function patterns(...lines: string[]): readonly Pattern[] {
  return lines.map((line) => {
    const [needed = "", more = ""] = line.split("|").map((part) => part.trim().split(/\s+/).filter(Boolean).join(" "));
    const [weight = "0", ...required] = needed.split(" ");
    return {
      weight: Number(weight),
      required: required.map(known),
      optional: more.split(" ").filter(Boolean).map(known),
    };
  });
}

/** A pattern of a word that no list has would never fit. */
function known(text: string): Concept {
  if (!isConcept(text)) throw new Error(`no concept ${text}`);
  return text;
}

/** Names of columns by role. A column has the role whose pattern fits it best; its type must fit too. */
export const ROLE_PATTERNS: Readonly<Record<ColumnRole, readonly Pattern[]>> = {
  status: patterns(
    "10 status | send published sent processed pending code name work data",
    "9 status id | send processed",
  ),
  publishedAt: patterns(
    "10 published time",
    "9.5 sent time | after",
    "9 processed time",
    "8 consumed time",
    "7 publication time",
    "8.7 send processed time",
    "8.7 send success time",
    "8.8 published | flag",
    "8.6 sent | flag toward",
    "8.4 processed | flag",
    "7.5 consumed | flag",
  ),
  lastError: patterns(
    "10 last error | message detail reason send",
    "9.5 error message | detail send publication",
    "9 error | detail reason send sent publication",
    "9 failed reason | last message",
    "9 failure reason",
    "8 failed message | last",
    "8 last failure",
    "7 failure",
  ),
  attempts: patterns(
    "10 attempt count | send sent failed processed made",
    "10 attempt | send sent failed count published processed publication made",
    "10 tries count",
    "9 send count | failed",
    "8.5 sent count",
    "8.5 failed count",
    "8 error count",
    "8 received count",
    "7.5 failures",
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
    "8.5 due moment",
    "8 delay until | time send attempt",
  ),
  lockedUntil: patterns("10 lock until | time", "10 lock expire | time", "9 busy until | time", "9 busy expire | time"),
  lockedBy: patterns(
    "10 lock by",
    "9 by lock | id",
    "8.5 busy by | id",
    "8 busy id",
    "8 processor id",
    "8 by instance",
    "8 lock instance",
    "8 busy instance",
    "7 busy | name",
  ),
  expiresAt: patterns(
    "10 expire time",
    "9 expire",
    "9 valid until | time",
    "9 valid toward",
    "9 not after",
    "9 send not after | time",
    "8.5 ending after | time filler",
    "8.5 ending moment | filler",
    "8 send before | time",
    "8 best before | time",
    "8 expire until | time",
  ),
  headers: patterns("10 headers | format payload", "8 metadata | format"),
  payload: patterns(
    "10 payload | format data useful packed",
    "10 load useful",
    "9 payload | format data value packed",
    "8.5 action payload | format",
    "8 data | format packed",
    "7 action data",
    "7 message value | format",
    "7 value broker | format",
    "7 event format",
    "6.5 message format | packed",
    "4 message",
    "3.5 format",
    "3 event",
    "3 value",
  ),
  aggregateType: patterns(
    "10 aggregate type | name",
    "9 aggregate name",
    "8.5 entity type | name code",
    "8 stream type",
    "7.6 subject type | name",
    "7.5 resource type | name code",
    "7 aggregate",
    "6 entity | name",
  ),
  aggregateId: patterns(
    "10 aggregate id | aggregate",
    "9.8 aggregate key",
    "8.4 aggregate code",
    "9 entity id | key",
    "8.8 stream id",
    "8.5 partition key",
    "8 event key",
    "8 message key",
    "8 record key",
    "7.8 key",
    "7.6 subject id",
    "7.5 resource id",
    "7 business id",
    "7 business key",
    "6 partition id",
    "7 message group id",
    "7 group key",
    "5.5 stream",
  ),
  eventType: patterns(
    "10 event type | name code",
    "9 message type | name code",
    "8.5 type | name code",
    "8 event name",
    "7.8 message name",
    "6 event code",
    "5 action | type name",
    "4.5 event",
    "4 name",
  ),
  // An exchange of RabbitMQ does not say where a message goes: the routing key does.
  topic: patterns(
    "10 topic | name broker address",
    "9 routing key",
    "8.5 topic address",
    "6 channel name",
    "5.5 exchange | name broker address toward filler",
  ),
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
  traceId: patterns("10 trace id", "9.8 trace context", "9.5 trace"),
  id: patterns(
    "10 id",
    "9 event id | event",
    "9 message id",
    "8.9 event code",
    "8.8 outbox id | event message",
    "8.5 record id",
  ),
};
