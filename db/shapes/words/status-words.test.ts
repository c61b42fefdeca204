import { describe, expect, test } from "vitest";
import { meaningOf } from "./status-words.ts";

describe("a status word that is put together", () => {
  test.each([
    ["NOT_SENT", "pending"],
    ["NOT_YET_PUBLISHED", "pending"],
    ["EVENT_NOT_SENT", "pending"],
    ["noPublicado", "pending"],
    ["DEAD_LETTER_QUEUE", "dead"],
    ["MOVED_TO_DLQ", "dead"],
    ["RETRY_EXHAUSTED", "dead"],
    ["PERMANENTLY_FAILED", "dead"],
    ["FAILED_RETRY", "failed"],
    ["PENDING_RETRY", "failed"],
    ["RETRY_PENDING", "failed"],
    ["RETRY_FAILED", "failed"],
    ["PUBLISH_FAILED", "failed"],
    ["PROCESSING_FAILED", "failed"],
    ["SENT_OK", "published"],
    ["READY_TO_SEND", "pending"],
    ["WAITING_FOR_RELAY", "pending"],
  ])("%s means %s", (word, meaning) => expect(meaningOf(word)).toBe(meaning));

  test.each([
    "PUBLISHED_NOT_ACKED",
    "SENT_NOT_CONFIRMED",
    "PROCESSED_NO_CHANGES",
    "COMPLETED_NO_OP",
    "SENT_NO_REPLY",
    "NO_CONSUMER_DELIVERED",
    "REQUEUED_FROM_DLQ",
    "DLQ_RESOLVED",
    "DEAD_LETTER_REPLAYED",
    "DEAD_RECOVERED",
    "RETRY_SUCCEEDED",
    "RETRY_SENT",
    "RETRY_PROCESSING",
    "PENDING_DELIVERY",
    "AWAITING_ACK",
  ])("%s is not known", (word) => expect(meaningOf(word)).toBeUndefined());
});
