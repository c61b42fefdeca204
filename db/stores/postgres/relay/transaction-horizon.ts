import type { Horizon } from "../../port/relay/claim.ts";
import type { StreamTransaction } from "../../port/relay/stream-transaction.ts";
import { transactionOf } from "../replication/log-transaction.ts";

/** Transactions of a snapshot, as numbers that never wrap. */
export class TransactionHorizon implements Horizon {
  readonly #endedBelow: bigint;
  readonly #begunBelow: bigint;

  /**
   * `xmin`: all transactions below have ended; of a snapshot not later than the read's. `xmax`: no transaction from here
   * on had begun; of a snapshot not earlier than the read's. `writersXmin`: all transactions below that have a place in
   * the order of the table had ended; null where it was not asked for.
   */
  constructor(xmin: bigint, xmax: bigint, writersXmin: bigint | null = null) {
    this.xmin = xmin;
    this.#endedBelow = writersXmin !== null && writersXmin > xmin ? writersXmin : xmin;
    this.#begunBelow = xmax;
  }

  readonly xmin: bigint;

  /** Only horizons of this engine are compared with each other. */
  hasPassed(earlier: Horizon): boolean {
    return earlier instanceof TransactionHorizon && this.#endedBelow >= earlier.#begunBelow;
  }

  /** A transaction's number in the log is modulo 2^32; no two that matter are 2^31 apart. */
  hasEnded(transaction: StreamTransaction): boolean {
    return BigInt.asIntN(32, BigInt(transactionOf(transaction).xid) - this.xmin) < 0n;
  }
}
