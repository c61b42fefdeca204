import type { SettleEntry } from "#db/stores/port/relay/settle.ts";

/** Statement: the database clock, ms since 1970. */
export const NOW = "SELECT UNIX_TIMESTAMP(SYSDATE(6)) * 1000";

/** created-to-published of the messages whose creation time is known, ms. `nowMs`: as `NOW` gave it. */
export function latencies(entries: readonly SettleEntry[], nowMs: number): number[] {
  const found: number[] = [];
  for (const { message } of entries) {
    const created = message.createdAt === null ? Number.NaN : Date.parse(message.createdAt);
    if (!Number.isNaN(created)) found.push(Math.max(0, nowMs - created));
  }
  return found;
}
