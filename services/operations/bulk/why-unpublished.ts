import { isAppError } from "#domain/errors.ts";
import { takeSnapshot } from "../../outboxes/take-snapshot.ts";
import type { Runtime } from "../../runtime.ts";

const PATIENCE_MS = 2_000;

/** Why retried messages do not go out, as the outbox's verdict says it on all other pages, or where to look. */
export async function whyUnpublished(runtime: Runtime, outbox: string): Promise<string> {
  const snapshot = await takeSnapshot({ runtime, outbox, patienceMs: PATIENCE_MS }).catch((error: unknown) => {
    if (isAppError(error)) return null;
    throw error;
  });
  const { word, title, cause } = snapshot?.verdict ?? {};
  const explains = cause && word !== "delivering" && word !== "at_risk";
  return explains ? `${title}: ${cause}.` : "See whether a relay publishes this outbox.";
}
