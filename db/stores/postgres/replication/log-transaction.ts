import type { StreamPosition, StreamTransaction } from "../../port/relay/stream-transaction.ts";
import type { Lsn } from "./lsn.ts";

/** A transaction with what the log adds to the port's type. */
export interface LogTransaction extends StreamTransaction {
  /** Its id modulo 2^32. */
  xid: number;
  commitLsn: Lsn;
}

/** Safe cast: transactions that the relay passes back came from this engine. */
export function transactionOf(transaction: StreamTransaction): LogTransaction {
  return transaction as LogTransaction;
}

/** Hexadecimal with leading zeros, so that texts compare as positions do. */
export function positionOf(lsn: Lsn): StreamPosition {
  return lsn.toString(16).padStart(16, "0");
}

export function lsnOf(position: StreamPosition): Lsn {
  return position === "" ? 0n : BigInt(`0x${position}`);
}
