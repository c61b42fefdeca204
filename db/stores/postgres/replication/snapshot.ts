/** A snapshot as `pg_current_snapshot()::text` prints it: `xmin:xmax:running,running`. */
export interface Snapshot {
  xmin: bigint;
  xmax: bigint;
  running: ReadonlySet<bigint>;
}

export function parseSnapshot(text: string): Snapshot {
  const [xmin = "0", xmax = "0", running = ""] = text.split(":");
  return {
    xmin: BigInt(xmin),
    xmax: BigInt(xmax),
    running: new Set(running === "" ? [] : running.split(",").map(BigInt)),
  };
}

/**
 * Whether the snapshot sees what a committed transaction did. The log tells of a commit a moment before others see it,
 * and with a synchronous standby a long moment. `xid` is modulo 2^32; no two that matter are 2^31 apart.
 */
export function sees({ xmin, xmax, running }: Snapshot, xid: number): boolean {
  const behind = BigInt.asIntN(32, BigInt(xid) - xmin);
  if (behind < 0n) return true;
  const full = xmin + behind;
  return full < xmax && !running.has(full);
}
