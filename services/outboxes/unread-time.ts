import { perRuntime } from "../per-runtime.ts";
import type { Runtime } from "../runtime.ts";
import type { Outage } from "../stores/store-line.ts";

/** When an outbox could not be read, although its database may answer. */
interface Unread {
  sinceMs: number | null;
  last: { seconds: number; endedAtMs: number } | null;
}

const memoryOf = perRuntime(() => new Map<string, Unread>());

function unreadOf(runtime: Runtime, outbox: string): Unread {
  const memory = memoryOf(runtime);
  const known = memory.get(outbox) ?? { sinceMs: null, last: null };
  memory.set(outbox, known);
  return known;
}

/** The outbox could not be read: its table is missing, has changed or is forbidden. A relay of it stops, too. */
export function noteUnread(runtime: Runtime, outbox: string): void {
  unreadOf(runtime, outbox).sinceMs ??= performance.now();
}

/** The outbox was read. Returns the time that this ends, or else the last one; null if there was none. */
export function noteRead(runtime: Runtime, outbox: string): Outage | null {
  const unread = unreadOf(runtime, outbox);
  const nowMs = performance.now();
  if (unread.sinceMs !== null) unread.last = { seconds: (nowMs - unread.sinceMs) / 1000, endedAtMs: nowMs };
  unread.sinceMs = null;
  const { last } = unread;
  return last && { seconds: last.seconds, endedSeconds: (nowMs - last.endedAtMs) / 1000 };
}
