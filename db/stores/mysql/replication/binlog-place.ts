import type { StreamPosition, StreamTransaction } from "../../port/relay/stream-transaction.ts";

/** Between two events of the binary log. */
export interface BinlogPlace {
  /**
   * When the reader was created or came to another server, seconds since 1970: each server has its own files, and
   * a later position must not compare as an earlier one.
   */
  incarnation: number;
  /** Such as `binlog.000042`. */
  file: string;
  /** Bytes from the start of the file. */
  offset: number;
}

/** A transaction with what the log adds to the port's type. */
export interface LogTransaction extends StreamTransaction {
  /** The number that the server gave it; null where it gives none. */
  gtid: string | null;
}

/** Numbers with leading zeros, so that texts compare as places do. */
export function positionOf({ incarnation, file, offset }: BinlogPlace): StreamPosition {
  return `${padded(incarnation, 10)}.${padded(fileNumber(file), 10)}.${padded(offset, 12)}`;
}

/** The number at the end of a file's name, which the server counts up. */
export function fileNumber(file: string): number {
  return Number(/\.(\d+)$/.exec(file)?.[1] ?? 0);
}

function padded(value: number, digits: number): string {
  return String(value).padStart(digits, "0");
}
