import type { AlertStateRow, AlertStatus, NewAlert } from "#db/records/alerts.ts";
import type { AlertWebhook } from "../config/alerts-schema.ts";

const RANKS: Record<AlertStatus, number> = { pass: 0, warn: 1, fail: 2 };

/** What health says, as far as a webhook is about it: below its threshold everything passes. */
export function statusFor({ from }: Pick<AlertWebhook, "from">, status: AlertStatus): AlertStatus {
  return RANKS[status] >= RANKS[from] ? status : "pass";
}

/**
 * The alert that is due, or null: once health has said something else than the webhook was told, for as long as the
 * webhook asks. A status that goes back before that is never told.
 */
export function judgeAlert(webhook: AlertWebhook, state: AlertStateRow, summary: string): NewAlert | null {
  const { seen, notified, outbox } = state;
  if (seen === notified) return null;
  const waitMs = RANKS[seen] > RANKS[notified] ? webhook.after : webhook.resolveAfter;
  if (state.seenMs < waitMs) return null;
  return { webhook: state.webhook, outbox, event: seen === "pass" ? "resolve" : "trigger", status: seen, summary };
}
