import { isAppError } from "#domain/errors.ts";
import type { ServiceContext } from "../context.ts";
import { perRuntime } from "../per-runtime.ts";

const DETAIL_CHARACTERS = 500;
/** Most entries of one person in a minute: a script that is refused in a loop would fill the audit, which cannot be emptied. */
const MOST_A_MINUTE = 30;
const MINUTE_MS = 60_000;
const MOST_KNOWN = 1_000;
const LAST = " Further refusals within the minute are not recorded.";

const recent = perRuntime(() => new Map<string, { fromMs: number; entries: number }>());

/**
 * Writes an audit row for a change that was refused to a signed-in person, at most MOST_A_MINUTE for each. Never throws, so
 * that a failure of the row does not replace the refusal.
 */
export async function recordDenied(
  { runtime, actor }: ServiceContext,
  denied: { error: unknown; path: string; outbox: string | null; inbox: string | null },
): Promise<void> {
  const { error, path, outbox, inbox } = denied;
  const { records, consoleLine } = runtime;
  if (!records || !consoleLine || !isAppError(error) || error.code !== "forbidden") return;
  const entries = countOf(recent(runtime), actor.name);
  if (entries > MOST_A_MINUTE) return;
  const said = `${path}: ${error.message}`.slice(0, DETAIL_CHARACTERS);
  const detail = entries === MOST_A_MINUTE ? `${said}${LAST}` : said;
  const entry = { actor, action: "request.denied", outbox, inbox, outcome: "refused" as const, reason: null, detail };
  await consoleLine.ask(() => records.recordAct(entry, async () => undefined)).catch(() => undefined);
}

/** Number of a person's refusals within the minute, this one included. */
function countOf(known: Map<string, { fromMs: number; entries: number }>, name: string): number {
  const now = performance.now();
  const last = known.get(name);
  const current = last && now - last.fromMs < MINUTE_MS ? last : { fromMs: now, entries: 0 };
  current.entries += 1;
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(name, current);
  return current.entries;
}
