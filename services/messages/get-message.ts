import type { MessageDetail } from "#contracts/message/messages.ts";
import type { StoredMessage, StoredText } from "#db/stores/port/message-detail.ts";
import { AppError } from "#domain/errors.ts";
import { copyIdOf, noRetryOf, originalIdOf } from "#domain/message/correction.ts";
import { MESSAGE_ACTIONS, refusalReason } from "#domain/message/message-state.ts";
import type { Actor } from "#domain/operator.ts";
import { findSightings } from "../inboxes/find-sightings.ts";
import { maskMessage } from "../masking/mask-message.ts";
import { whyNoReveal } from "../masking/why-no-reveal.ts";
import { maskerFor, outboxOf } from "../outboxes/outbox-of.ts";
import { whyNotOperated } from "../outboxes/own-tables.ts";
import { registeredEvent } from "../registry/registered-event.ts";
import type { OutboxHandle, Runtime } from "../runtime.ts";
import { eventIdOf } from "./event-id-of.ts";
import { requireKey } from "./list-messages.ts";
import { traceOf } from "./trace-of.ts";

/** Everything known about one message, masked for who asks. Throws: not_found, unavailable, query_timeout. */
export async function getMessage(input: {
  runtime: Runtime;
  outbox: string;
  id: string;
  actor?: Actor;
}): Promise<MessageDetail> {
  const handle = await input.runtime.outbox(input.outbox);
  const [detail, masker] = await Promise.all([getWholeMessage(input), maskerFor(handle)]);
  return masker ? maskMessage(detail, masker, whyNoReveal(handle, input.actor)) : detail;
}

/** With nothing masked. Throws as getMessage. */
export async function getWholeMessage(input: { runtime: Runtime; outbox: string; id: string }): Promise<MessageDetail> {
  const { runtime } = input;
  const handle = await runtime.outbox(input.outbox);
  requireKey(handle.mapping.primaryKey.length, handle.name);
  const found = await outboxOf(handle).read.message(input.id);
  if (!found)
    throw new AppError(
      "not_found",
      `There is no message ${shorten(input.id)} in outbox ${handle.name}: it never existed, was deleted after publishing, or was purged.`,
    );
  const { content, history } = found;
  return {
    message: found.row,
    payload: toPayload(content.payload),
    headers: toPayload(content.headers),
    masking: null,
    registered: await registeredEvent(handle.config.registry, { eventType: found.row.eventType, ...content }),
    trace: traceOf(found, { handle, url: runtime.config.tracing.url }),
    columns: content.columns,
    attempts: history.attempts,
    firstError: history.firstError,
    claim: history.claim,
    neighbours: found.neighbours,
    neighboursUnread: found.neighboursUnread,
    laterPublished: found.laterPublished,
    sightings: await findSightings({ runtime, handle, eventId: eventIdOf(handle, found) }),
    audit: history.audit,
    correction: { copyId: copyIdOf(history.audit), originalId: originalIdOf(history.audit) },
    actions: actionsOf(handle, found),
    sql: found.statement,
    asOf: found.asOf,
  };
}

function actionsOf(handle: OutboxHandle, { row, history }: StoredMessage): MessageDetail["actions"] {
  const copyId = copyIdOf(history.audit);
  return MESSAGE_ACTIONS.map((action) => {
    const corrected = action === "retry" && copyId !== null ? noRetryOf(copyId) : undefined;
    const refusal = corrected ?? refusalReason(action, row);
    const reason = handle.storeSide ? refusal : whyNotOperated(handle);
    return { action, possible: reason === undefined, reason: reason ?? null };
  });
}

function shorten(id: string): string {
  return id.length > 40 ? `${id.slice(0, 40)}…` : id;
}

function toPayload(stored: StoredText | null): MessageDetail["payload"] {
  if (!stored) return null;
  const { text, format, totalBytes, shownBytes } = stored;
  return { text, format, totalBytes, shownBytes, truncated: shownBytes < totalBytes };
}
