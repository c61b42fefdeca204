import type { StreamPosition, StreamTransaction } from "../../port/relay/stream-transaction.ts";
import type { Lsn } from "./lsn.ts";

/** What the log says of a transaction; the port knows it without its number. */
export interface LogTransaction extends StreamTransaction {
  /** Its number modulo 2^32. */
  xid: number;
  commitLsn: Lsn;
}

/** A transaction that comes back from the relay is one that this engine has given it. */
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
