import type { Lsn } from "./lsn.ts";

export interface RelationMessage {
  kind: "relation";
  oid: number;
  schema: string;
  name: string;
  columns: string[];
  /** Oids of the columns' types. */
  types: number[];
}

export type PgoutputMessage =
  /** `xid`: transaction id modulo 2^32. */
  | { kind: "begin"; commitLsn: Lsn; xid: number; committedAtMs: number }
  | { kind: "commit"; endLsn: Lsn }
  | RelationMessage
  /** `tuple` is the new row; read it with `readTuple` before the next message arrives. */
  | { kind: "insert"; oid: number; tuple: Buffer }
  /** Updates, deletes, truncations, types, origins: irrelevant to an outbox. */
  | { kind: "other" };

/** Microseconds between 1970 and 2000. */
const POSTGRES_EPOCH_US = 946_684_800_000_000n;
const OTHER = { kind: "other" } as const;

/**
 * Parses one message of the output plugin pgoutput, protocol version 1; see "Logical Replication Message Formats" in
 * the PostgreSQL manual.
 */
export function parsePgoutput(data: Buffer): PgoutputMessage {
  switch (data[0]) {
    case 0x42: // B
      return {
        kind: "begin",
        commitLsn: data.readBigUInt64BE(1),
        committedAtMs: Number((data.readBigInt64BE(9) + POSTGRES_EPOCH_US) / 1000n),
        xid: data.readUInt32BE(17),
      };
    case 0x43: // C: flags, commit, end
      return { kind: "commit", endLsn: data.readBigUInt64BE(10) };
    case 0x49: // I: relation, N, tuple
      return { kind: "insert", oid: data.readUInt32BE(1), tuple: data.subarray(6) };
    case 0x52: // R
      return parseRelation(data);
    default:
      return OTHER;
  }
}

function parseRelation(data: Buffer): RelationMessage {
  let at = 5;
  const text = (): string => {
    const end = data.indexOf(0, at);
    const found = data.toString("utf8", at, end);
    at = end + 1;
    return found;
  };
  const schema = text();
  const name = text();
  at += 1; // replica identity
  const count = data.readUInt16BE(at);
  at += 2;
  const columns: string[] = [];
  const types: number[] = [];
  for (let index = 0; index < count; index += 1) {
    at += 1; // flags
    columns.push(text());
    types.push(data.readUInt32BE(at));
    at += 8; // type and its modifier
  }
  // The protocol sends an empty name for pg_catalog.
  const oid = data.readUInt32BE(1);
  return { kind: "relation", oid, schema: schema === "" ? "pg_catalog" : schema, name, columns, types };
}

/** The texts of the wanted columns, at their indexes in the relation; null for null. Other columns are not decoded. */
export function readTuple(tuple: Buffer, wanted: readonly boolean[]): (string | null)[] {
  const count = tuple.readUInt16BE(0);
  const values = new Array<string | null>(count).fill(null);
  let at = 2;
  for (let index = 0; index < count; index += 1) {
    const kind = tuple[at];
    at += 1;
    if (kind !== 0x74 && kind !== 0x62) continue; // n: null; u: unchanged, which an insert never has
    const length = tuple.readUInt32BE(at);
    at += 4;
    if (wanted[index]) values[index] = tuple.toString("utf8", at, at + length);
    at += length;
  }
  return values;
}
