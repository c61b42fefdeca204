import type { Pattern } from "./match-words.ts";
import { patterns, ROLE_PATTERNS } from "./role-patterns.ts";

export type InboxRole =
  | "messageId"
  | "consumer"
  | "eventType"
  | "receivedAt"
  | "processedAt"
  | "processed"
  | "status"
  | "error";

/** Names of an inbox's columns by role. */
export const INBOX_PATTERNS: Readonly<Record<InboxRole, readonly Pattern[]>> = {
  messageId: patterns(
    "10 message id",
    "9.8 event id",
    "9 outbox id",
    "8.9 event code",
    "8.9 message code",
    "8.6 action id",
    "8.5 dedupe key",
    "8.5 dedupe id",
    "8 message key",
    "8 event key",
    "7 id",
    "6 key",
    "5 event",
    "5 message",
  ),
  consumer: patterns("10 consumer | name id partition type group", "8 group name"),
  eventType: [...ROLE_PATTERNS.eventType.filter(({ weight }) => weight > 8), ...patterns("8 event name", "4 name")],
  receivedAt: patterns(
    "10 received time",
    "9 inserted time",
    "9 first time | received",
    "8.8 created time",
    "8.5 occurred time",
    "8 created",
    "8 received",
    "7 consumed time",
    "6.5 started time",
    "6 time",
  ),
  processedAt: patterns(
    "10 processed time",
    "10 consumed time",
    "8.5 published time",
    "8.5 sent time",
    "8 processed",
    "8 consumed",
  ),
  processed: patterns("10 processed | flag", "10 consumed | flag"),
  status: patterns("10 status | send processed"),
  error: [...ROLE_PATTERNS.lastError, ...patterns("8.5 error consumer")],
};
