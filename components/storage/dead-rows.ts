import type { Storage } from "#contracts/outbox/storage.ts";

type Size = Storage["size"];

/** Fewer are nothing to warn about, whatever the share. */
const FEW = 1_000;

/**
 * Share of dead rows in all rows; null while the number of live ones is not known, as before the first vacuum or
 * analyse.
 */
function shareOf({ deadRows, rows }: Size): number | null {
  const dead = deadRows ?? 0;
  if (rows.precision === "unknown") return null;
  return dead + rows.value === 0 ? 0 : dead / (dead + rows.value);
}

/** True if so many rows are dead that reads and sizes suffer. */
export function areManyDead(size: Size, mostShare: number): boolean {
  return (size.deadRows ?? 0) >= FEW && (shareOf(size) ?? 0) > mostShare;
}

export function describeDeadRows(size: Size): string {
  if (size.deadRows === null) return "not counted by this store";
  const share = shareOf(size);
  if (share === null) return "of an unknown number";
  return share === 0 ? "none" : `${Math.round(share * 100)} % of all`;
}
