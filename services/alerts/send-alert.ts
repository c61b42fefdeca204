import type { AlertRow } from "#db/records/alerts.ts";
import type { AlertWebhook } from "../config/alerts-schema.ts";
import { readAtMost } from "../read-at-most.ts";
import { type AlertContext, alertBody } from "./alert-body.ts";

const TIMEOUT_MS = 10_000;
const MOST_ERROR = 300;
const MOST_READ = 4_000;

/**
 * Sends one alert, until the signal aborts. Null if it was accepted, otherwise why not, as a sentence without the
 * webhook's URL.
 */
export async function sendAlert(input: {
  webhook: AlertWebhook;
  alert: AlertRow;
  context: AlertContext;
  signal: AbortSignal;
}): Promise<string | null> {
  const { webhook, alert, context, signal } = input;
  try {
    const answer = await fetch(webhook.url, {
      method: "POST",
      headers: { "content-type": "application/json", ...webhook.headers },
      body: JSON.stringify(alertBody(webhook, alert, context)),
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      // Not followed: a redirect would send the alert and its headers to an address that is not configured.
      redirect: "manual",
    });
    if (answer.ok) {
      // It is accepted, whatever becomes of the rest of the answer.
      await answer.body?.cancel().catch(() => undefined);
      return null;
    }
    const said = (await readAtMost(answer, MOST_READ)).text.slice(0, MOST_ERROR);
    return `HTTP ${answer.status}${said === "" ? "" : `: ${said}`}`;
  } catch (error) {
    if (error instanceof Error && error.name === "TimeoutError") return `No answer within ${TIMEOUT_MS / 1000} s.`;
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
    return `The webhook cannot be reached${code === "" ? "." : ` (${code}).`}`;
  }
}
