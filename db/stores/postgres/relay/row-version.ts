import type { OutboxMapping } from "#db/stores/port/mapping.ts";
import { columnSql } from "../tables/mapping-sql.ts";

/**
 * Which row a message was read from: a key may come again, after TRUNCATE … RESTART IDENTITY, say. Either the transaction that
 * wrote the row, or that it was below a place where all transactions had ended before the row was read: a later row of the key
 * is of a transaction at or above it.
 */
export type RowVersion =
  | { readonly xid: string; readonly below: null }
  | { readonly xid: null; readonly below: bigint };

/** How the rows of one read are told from later ones. */
export class ReadPoint {
  readonly #below: RowVersion & { below: bigint };

  /** `xmin`: all transactions below had ended; from a snapshot not later than the read's. Ids never wrap. */
  constructor(xmin: bigint) {
    this.#below = { xid: null, below: xmin };
    this.#low = Number(BigInt.asUintN(32, xmin));
  }

  readonly #low: number;

  /** `xid`: as in a row, of 32 bits. Most rows of a backlog have the same version, which is quicker to compare. */
  versionOf(xid: string): RowVersion {
    return isBefore(Number(xid), this.#low) ? this.#below : { xid, below: null };
  }
}

/**
 * SQL over row `o`: text that stays the same while other programs work on the row, and differs from that of a later row of its key.
 * The time of creation where there is one; else a checksum, made by the server, because a payload may be what kills the relay.
 */
export function identitySql({ columns }: OutboxMapping): string {
  const { createdAt, aggregateType, aggregateId, eventType, topic, payload } = columns;
  const told = [createdAt, aggregateType, aggregateId, eventType, topic, payload];
  const parts = told.flatMap((column) => (column ? [`coalesce(${columnSql(column, "o")}::text, '')`] : []));
  const checksum = `md5(concat_ws(E'\\n', ${parts.join(", ")}))`;
  const isExact = createdAt?.time?.kind.startsWith("timestamp");
  return createdAt && isExact ? `coalesce(${columnSql(createdAt, "o")}::text, ${checksum})` : checksum;
}

/** Ids of transactions modulo 2^32, never 2^31 apart. */
function isBefore(xid: number, other: number): boolean {
  return ((xid - other) | 0) < 0;
}

export function isVersion(version: unknown): version is RowVersion {
  return typeof version === "object" && version !== null && "below" in version;
}

/** True if a row that was written by `xid` is the one of the version. */
export function isOfVersion(xid: string, version: unknown): boolean {
  if (!isVersion(version)) return false;
  return version.below === null
    ? version.xid === xid
    : isBefore(Number(xid), Number(BigInt.asUintN(32, version.below)));
}
