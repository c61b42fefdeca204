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
 * True if the snapshot sees a committed transaction. The log shows a commit a moment before other sessions see it, with
 * a synchronous standby much earlier. `xid` is modulo 2^32; ids compared here are never 2^31 apart.
 */
export function sees({ xmin, xmax, running }: Snapshot, xid: number): boolean {
  const behind = BigInt.asIntN(32, BigInt(xid) - xmin);
  if (behind < 0n) return true;
  const full = xmin + behind;
  return full < xmax && !running.has(full);
}
