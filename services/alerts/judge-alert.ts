import type { AlertStateRow, AlertStatus, NewAlert } from "#db/records/alerts.ts";
import type { AlertWebhook } from "../config/alerts-schema.ts";

const RANKS: Record<AlertStatus, number> = { pass: 0, warn: 1, fail: 2 };

/** The status of health for a webhook: below the webhook's threshold everything counts as `pass`. */
export function statusFor({ from }: Pick<AlertWebhook, "from">, status: AlertStatus): AlertStatus {
  return RANKS[status] >= RANKS[from] ? status : "pass";
}

/**
 * The alert that is due, or null: one is due once health has differed from the last status sent to the webhook for as
 * long as its configuration requires. A status that returns earlier is never sent.
 */
export function judgeAlert(webhook: AlertWebhook, state: AlertStateRow, summary: string): NewAlert | null {
  const { seen, notified, outbox } = state;
  if (seen === notified) return null;
  const waitMs = RANKS[seen] > RANKS[notified] ? webhook.after : webhook.resolveAfter;
  if (state.seenMs < waitMs) return null;
  return { webhook: state.webhook, outbox, event: seen === "pass" ? "resolve" : "trigger", status: seen, summary };
}
