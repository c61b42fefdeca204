import { isAppError } from "#domain/errors.ts";
import { perRuntime } from "../per-runtime.ts";
import type { Runtime } from "../runtime.ts";
import { consoleEntry } from "./console-entry.ts";
import { countEntry, type EntriesAMinute } from "./entries-a-minute.ts";

export interface RefusedSignIn {
  how: "password" | "HTTP Basic" | "API token" | "identity provider";
  /** The name that was given, which may be anybody's; null if none was. */
  name: string | null;
  /** The client's address. */
  from: string;
  /** An AppError, or the sentence of the refusal. */
  why: unknown;
}

/** Most entries of one address in a minute, and of all together. */
const MOST_OF_ADDRESS = 5;
const MOST_OF_ALL = 60;
const ALL = "";
const DETAIL_CHARACTERS = 500;

/** Apart, so that thousands of addresses do not make it forget how many there were in all. */
const recent = perRuntime(() => ({ byAddress: new Map() as EntriesAMinute, all: new Map() as EntriesAMinute }));

/**
 * Writes an audit row for credentials that were refused: guesses would leave no trace. Never throws, so that a failure
 * of the row does not replace the refusal.
 */
export async function recordRefusedSignIn(runtime: Runtime, { how, name, from, why }: RefusedSignIn): Promise<void> {
  const { records, consoleGuard } = runtime;
  const sentence = isAppError(why) && REFUSALS.has(why.code) ? why.message : typeof why === "string" ? why : null;
  if (!records || !consoleGuard || sentence === null) return;
  const { byAddress, all } = recent(runtime);
  const ofAddress = countEntry(byAddress, from);
  if (ofAddress > MOST_OF_ADDRESS) return;
  const ofAll = countEntry(all, ALL);
  if (ofAll > MOST_OF_ALL) return;
  const last = ofAddress === MOST_OF_ADDRESS || ofAll === MOST_OF_ALL ? LAST : "";
  const as = name === null ? "" : ` as ${name}`;
  const detail = `by ${how}${as}, from ${from}: ${sentence}`.slice(0, DETAIL_CHARACTERS) + last;
  const entry = consoleEntry({ name: "nobody", role: "viewer" }, "session.refused", { outcome: "refused", detail });
  await consoleGuard.ask(() => records.recordAct(entry, async () => undefined)).catch(() => undefined);
}

const REFUSALS: ReadonlySet<string> = new Set(["unauthenticated", "too_many_requests"]);
const LAST = " Further refusals within the minute are not recorded.";
