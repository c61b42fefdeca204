import type { OutboxMapping } from "#db/stores/port/mapping.ts";
import { columnSql } from "../tables/mapping-sql.ts";

/**
 * Which row a message was read from: a key may come again, after TRUNCATE … RESTART IDENTITY, say. Either the
 * transaction that wrote the row, or that it was below a place where all transactions had ended before the row was
 * read: a later row of the key is of a transaction at or above it.
 */
export type RowVersion =
  | { readonly xid: string; readonly below: null }
  /** `newest`: of the read's rows below the place, the last transaction, of 32 bits. */
  | { readonly xid: null; readonly below: bigint; readonly newest: number };

/** Ids of 32 bits are compared over half of their turn; a place is given up long before. */
const FARTHEST = 2n ** 30n;

/**
 * The place of a relay's reads. It stays while all rows that are read are below it, as in a backlog: messages of
 * several reads then have one version, and one place marks them.
 */
export class ReadPlace {
  #place: bigint | null = null;

  /** `xmin`: of a snapshot not later than the coming read's. */
  at(xmin: bigint): bigint {
    if (this.#place === null || xmin < this.#place || xmin - this.#place > FARTHEST) this.#place = xmin;
    return this.#place;
  }

  /** After a read: if a row was not below, the next read takes a new place. */
  keepIf(allBelow: boolean): void {
    if (!allBelow) this.#place = null;
  }
}

/** Distinguishes the rows of one read from later rows of the same keys. */
export class ReadPoint {
  readonly #below: { xid: null; below: bigint; newest: number };

  /** `xmin`: all transactions below had ended; from a snapshot not later than the read's. Ids never wrap. */
  constructor(xmin: bigint) {
    this.#low = lowOf(xmin);
    this.#below = { xid: null, below: xmin, newest: Number.NaN };
  }

  readonly #low: number;

  /**
   * `xid`: as in a row, of 32 bits; null if the read's statement found it below the place. Most rows of a backlog have
   * the same version, which is quicker to compare.
   */
  versionOf(xid: string | null): RowVersion {
    if (xid === null) {
      this.#below.newest = NOT_TOLD;
      return this.#below;
    }
    const id = Number(xid);
    if (!isBefore(id, this.#low)) return { xid, below: null };
    const { newest } = this.#below;
    if (Number.isNaN(newest) || isBefore(newest, id)) this.#below.newest = id;
    return this.#below;
  }
}

/** Before no transaction, as `isBefore` has it. */
const NOT_TOLD = Number.POSITIVE_INFINITY;

/** The place below which all rows of these versions were written; null if each must be compared. */
export function commonPlace(versions: ReadonlySet<RowVersion>): bigint | null {
  let least: bigint | null = null;
  for (const { below } of versions) {
    if (below === null) return null;
    if (least === null || below < least) least = below;
  }
  if (least === null) return null;
  const low = lowOf(least);
  for (const { below, newest } of versions as ReadonlySet<RowVersion & { newest: number }>)
    if (below !== least && !isBefore(newest, low)) return null;
  return least;
}

/** An id of a transaction as in a row, of 32 bits. */
export function lowXid(xid: bigint): string {
  return String(lowOf(xid));
}

/**
 * SQL: true if the transaction ended before a place, a parameter; its age is that of the statement, and asked for once.
 */
export function isBelowSql(xid: string, place: string): string {
  return `age(${xid}) > (SELECT age(${place}::text::xid))`;
}

/**
 * SQL over row `o`: text that stays the same while other programs work on the row, and differs from that of a later row
 * of its key. The creation time; without one, a checksum computed by the server, because the payload itself may kill
 * the relay.
 */
export function identitySql({ columns }: OutboxMapping): string {
  const { createdAt, aggregateType, aggregateId, eventType, topic, payload } = columns;
  const told = [createdAt, aggregateType, aggregateId, eventType, topic, payload];
  const parts = told.flatMap((column) => (column ? [`coalesce(${columnSql(column, "o")}::text, '')`] : []));
  const checksum = `md5(concat_ws(E'\\n', ${parts.join(", ")}))`;
  const isExact = createdAt?.time?.kind.startsWith("timestamp");
  return createdAt && isExact ? `coalesce(${columnSql(createdAt, "o")}::text, ${checksum})` : checksum;
}

function lowOf(xid: bigint): number {
  return Number(BigInt.asUintN(32, xid));
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
  return version.below === null ? version.xid === xid : isBefore(Number(xid), lowOf(version.below));
}
