import { type SQL, sql } from "drizzle-orm";
import { columnsOf, type MappingFingerprint } from "#db/stores/port/mapping-fingerprint.ts";
import { toStored, toStoredColumn } from "../catalog/stored-fingerprint.ts";
import { toText } from "../connection/dialect.ts";
import { mappingFingerprint } from "../own-schema/schema.ts";
import { qualifiedName, tableNamed } from "./outbox-table.ts";

/**
 * SQL: true while the table is the accepted one: the same relation, columns and names, and a unique index over its key.
 * Without this check a statement by name would continue on a column that was re-created or swapped, or on a view.
 * Without the index one id could be two messages, and one settle would mark both.
 * The condition names the table, so it takes a lock that keeps out all such changes until the transaction ends: the
 * result also holds for later statements.
 * Index: pg_attribute_relid_attnum_index, pg_index_indrelid_index. Race: a change that commits first is seen, because a
 * statement takes its snapshot after its locks; a later one waits.
 */
export function mappingHolds(accepted: MappingFingerprint): SQL {
  return sql`(NOT EXISTS (SELECT FROM ${tableNamed(accepted.table)} WHERE false) AND ${mappingFits(accepted)})`;
}

/** The same as text, for statements that are prepared. */
export function mappingHoldsSql(accepted: MappingFingerprint): string {
  return toText(mappingHolds(accepted));
}

/** The same at this moment, without a lock: never waits for a session that changes the table. */
function mappingFits(accepted: MappingFingerprint): SQL {
  const { oid } = toStored(accepted);
  const columns = columnsOf(accepted).map(toStoredColumn);
  const rows = columns.map(
    ({ number, name, typeOid, typeModifier }) => sql`(${number}, ${name}, ${typeOid}, ${typeModifier})`,
  );
  return sql`(to_regclass(${qualifiedName(accepted.table)}) = ${oid}::oid
    AND ${columns.length} = (SELECT count(*) FROM pg_attribute a WHERE a.attrelid = ${oid}
      AND (a.attnum, a.attname, a.atttypid, a.atttypmod) IN (${sql.join(rows, sql`, `)}))
    AND ${keyIsUnique(accepted)})`.inlineParams();
}

/** SQL: true if the accepted primary key, or another valid unique index over the same columns, covers all rows. */
function keyIsUnique(accepted: MappingFingerprint): SQL {
  const { oid, primaryKey } = toStored(accepted);
  const numbers = primaryKey.map(({ number }) => number).join(" ");
  // INCLUDE columns come after the key columns and are cut off.
  return sql`EXISTS (SELECT FROM pg_index i WHERE i.indrelid = ${oid} AND i.indisunique AND i.indisvalid
      AND i.indpred IS NULL AND i.indexprs IS NULL AND ${numbers} = array_to_string((i.indkey::int2[])[0:i.indnkeyatts - 1], ' '))`;
}

/** SQL: true while no other mapping has been accepted. */
export function stillAccepted(outbox: SQL, accepted: SQL): SQL {
  return sql`EXISTS (SELECT FROM ${mappingFingerprint}
    WHERE ${mappingFingerprint.outbox} = ${outbox} AND ${mappingFingerprint.fingerprint} = ${accepted}::jsonb)`;
}

/** Both checks without a lock, as a condition for a prepared statement, with its parameters. */
export function acceptedNow(accepted: MappingFingerprint, outbox: string, firstParameter: number) {
  const placeholder = (index: number) => sql.raw(`$${firstParameter + index}`);
  const still = stillAccepted(placeholder(0), placeholder(1));
  return {
    sql: toText(sql`${mappingFits(accepted)} AND ${still}`),
    values: [outbox, JSON.stringify(toStored(accepted))],
  };
}
