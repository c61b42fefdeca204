import { isAppError } from "#domain/errors.ts";
import type { ServiceContext } from "../context.ts";
import { perRuntime } from "../per-runtime.ts";
import { consoleEntry } from "./console-entry.ts";
import { countEntry, type EntriesAMinute } from "./entries-a-minute.ts";

const DETAIL_CHARACTERS = 500;
/**
 * Most entries of one person in a minute: a script that is refused in a loop would fill the audit, which cannot be
 * emptied.
 */
const MOST_A_MINUTE = 30;
const LAST = " Further refusals within the minute are not recorded.";

const recent = perRuntime((): EntriesAMinute => new Map());

/**
 * Writes an audit row for a change that was refused to a signed-in person, at most MOST_A_MINUTE for each. Never
 * throws, so that a failure of the row does not replace the refusal.
 */
export async function recordDenied(
  { runtime, actor }: ServiceContext,
  denied: { error: unknown; path: string; outbox: string | null; inbox: string | null },
): Promise<void> {
  const { error, path, outbox, inbox } = denied;
  const { records, consoleGuard } = runtime;
  if (!records || !consoleGuard || !isAppError(error) || error.code !== "forbidden") return;
  const entries = countEntry(recent(runtime), actor.name);
  if (entries > MOST_A_MINUTE) return;
  const said = `${path}: ${error.message}`.slice(0, DETAIL_CHARACTERS);
  const detail = entries === MOST_A_MINUTE ? `${said}${LAST}` : said;
  const entry = consoleEntry(actor, "request.denied", { outbox, inbox, outcome: "refused", detail });
  await consoleGuard.ask(() => records.recordAct(entry, async () => undefined)).catch(() => undefined);
}
