import { isAppError } from "#domain/errors.ts";
import type { ServiceContext } from "../context.ts";

const DETAIL_CHARACTERS = 500;

/**
 * Writes an audit row for a change that was refused to somebody who is signed in. Whatever goes wrong with the row, the refusal
 * stays what it was; never throws.
 */
export async function recordDenied(
  { runtime, actor }: ServiceContext,
  denied: { error: unknown; path: string; outbox: string | null; inbox: string | null },
): Promise<void> {
  const { error, path, outbox, inbox } = denied;
  const { records, consoleLine } = runtime;
  if (!records || !consoleLine || !isAppError(error) || error.code !== "forbidden") return;
  const detail = `${path}: ${error.message}`.slice(0, DETAIL_CHARACTERS);
  const entry = { actor, action: "request.denied", outbox, inbox, outcome: "refused" as const, reason: null, detail };
  await consoleLine.ask(() => records.recordAct(entry, async () => undefined)).catch(() => undefined);
}
