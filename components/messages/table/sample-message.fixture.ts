import type { MessageSummary } from "#contracts/message/messages.ts";

/** A plain pending message for tests; pass what matters. */
export function sampleMessage(fields: Partial<MessageSummary> = {}): MessageSummary {
  return {
    id: "m-1",
    version: "1",
    state: "pending",
    claimExpired: false,
    claimUndated: false,
    eventType: "order.placed",
    aggregateType: "order",
    aggregateId: "order-1",
    createdAt: "2026-11-21T03:00:00.000Z",
    publishedAt: null,
    availableAt: null,
    ageSeconds: 60,
    attempts: 0,
    maxAttempts: 10,
    nextAttemptAt: null,
    lastError: null,
    lastErrorCode: null,
    blockedBy: null,
    archivedAt: null,
    rawStatus: null,
    payloadBytes: null,
    ...fields,
  };
}
