import { fingerprint } from "#domain/message/fingerprint.ts";
import { attemptsAfter, type TroubleEntry } from "../../../shared/relay/settle-entries.ts";
import { nowText } from "../../items/instant.ts";
import type { DeliveryDoc } from "../../own-table/relay-docs.ts";
import { serverNowMs } from "../../own-table/terms.ts";
import type { RelayContext } from "../relay-context.ts";

/** Our record of a message after a failure; keeps the error of its first failure. */
export function failureDoc(context: RelayContext, entry: TroubleEntry): DeliveryDoc {
  const { message, outcome } = entry;
  const { code, message: error } = outcome.failure;
  const known = context.deliveries.get(message.id);
  const nowMs = serverNowMs(context.room.link);
  const now = nowText(nowMs);
  return {
    aggregateKey: message.aggregateKey,
    order: message.order,
    eventType: message.eventType,
    createdAt: message.createdAt,
    attempts: attemptsAfter(entry),
    firstErrorCode: known?.firstErrorCode ?? code,
    firstError: known?.firstError ?? error,
    firstFailedAt: known?.firstFailedAt ?? now,
    lastErrorCode: code,
    lastError: error,
    lastFailedAt: now,
    fingerprint: fingerprint({ code, error, eventType: message.eventType }),
    nextAttemptAt: outcome.kind === "failed" ? nowText(nowMs + outcome.nextAttemptInMs) : null,
    ...(known?.message ? { message: known.message } : {}),
  };
}
