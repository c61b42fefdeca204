import { messageOf } from "#domain/errors.ts";
import { openLog } from "#services/open-log.ts";

export const log = openLog("monitor", 1, process.env.LOG_LEVEL ?? (process.env.VITEST ? "silent" : "info"));

const SAY_AGAIN_MS = 60_000;
const said = new Map<string, number>();

/** Logs the same problem at most once a minute: a database outage fails every turn. */
export function logTrouble(name: string, error: unknown): void {
  const message = messageOf(error);
  const key = `${name}: ${message}`;
  const last = said.get(key);
  if (last !== undefined && performance.now() - last < SAY_AGAIN_MS) return;
  if (said.size > 1_000) said.clear();
  said.set(key, performance.now());
  log.warn({ err: error, part: name }, `The ${name} failed and will retry`);
}
