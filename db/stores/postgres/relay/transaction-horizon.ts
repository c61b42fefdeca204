import type { Horizon } from "../../port/relay/claim.ts";
import type { StreamTransaction } from "../../port/relay/stream-transaction.ts";
import { transactionOf } from "../replication/log-transaction.ts";

/** Snapshot of transactions, as ids that never wrap. */
export class TransactionHorizon implements Horizon {
  readonly #endedBelow: bigint;
  readonly #begunBelow: bigint;

  /**
   * `xmin`: all transactions below had ended; from a snapshot not later than the read's. `xmax`: no transaction from
   * here on had begun; from a snapshot not earlier than the read's. `writersXmin`: all transactions below that have a
   * position in the table's order had ended; null if not requested.
   */
  constructor(xmin: bigint, xmax: bigint, writersXmin: bigint | null = null) {
    this.xmin = xmin;
    this.#endedBelow = writersXmin !== null && writersXmin > xmin ? writersXmin : xmin;
    this.#begunBelow = xmax;
  }

  readonly xmin: bigint;

  /** Compares only horizons of this engine. */
  hasPassed(earlier: Horizon): boolean {
    return earlier instanceof TransactionHorizon && this.#endedBelow >= earlier.#begunBelow;
  }

  /** Transaction ids in the log are modulo 2^32; those compared here are never 2^31 apart. */
  hasEnded(transaction: StreamTransaction): boolean {
    return BigInt.asIntN(32, BigInt(transactionOf(transaction).xid) - this.xmin) < 0n;
  }
}
