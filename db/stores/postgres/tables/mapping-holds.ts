import { columnsOf, type MappingFingerprint } from "#db/stores/port/mapping-fingerprint.ts";
import { toStored, toStoredColumn } from "../catalog/stored-fingerprint.ts";
import { quoteLiteral, quoteTable } from "./mapping-sql.ts";

/**
 * True while the table is the accepted one: the same relation under its name, with the same columns under theirs and a
 * unique index over its key. A statement by name alone would go on over a column that was added again or swapped, or over
 * a view; without the index one id could be two messages, of which one settle would mark both.
 * It names the table, so that it holds a lock that keeps every such change out until the transaction ends: what is
 * true here is true for the statements that follow.
 * Index: pg_attribute_relid_attnum_index, pg_index_indrelid_index. Race: a change that commits first is seen, since the snapshot of a statement
 * is taken after its locks; a later one waits.
 */
export function mappingHoldsSql(accepted: MappingFingerprint): string {
  return `(NOT EXISTS (SELECT FROM ${quoteTable(accepted.table)} WHERE false) AND ${mappingFitsSql(accepted)})`;
}

/** The same for the moment, without a lock: it never waits for whoever changes the table. */
function mappingFitsSql(accepted: MappingFingerprint): string {
  const table = quoteLiteral(quoteTable(accepted.table));
  const { oid } = toStored(accepted);
  const columns = columnsOf(accepted).map(toStoredColumn);
  const rows = columns.map(
    ({ number, name, typeOid, typeModifier }) => `(${number}, ${quoteLiteral(name)}, ${typeOid}, ${typeModifier})`,
  );
  return `(to_regclass(${table}) = ${oid}::oid
    AND ${columns.length} = (SELECT count(*) FROM pg_attribute a WHERE a.attrelid = ${oid}
      AND (a.attnum, a.attname, a.atttypid, a.atttypmod) IN (${rows.join(", ")}))
    AND ${keyIsUniqueSql(accepted)})`;
}

/** Its primary key, or another valid unique index over the same columns, for all rows. */
function keyIsUniqueSql(accepted: MappingFingerprint): string {
  const { oid, primaryKey } = toStored(accepted);
  const numbers = primaryKey.map(({ number }) => number).join(" ");
  // What an index merely includes stands behind its key.
  const key = `${quoteLiteral(numbers)} = array_to_string((i.indkey::int2[])[0:i.indnkeyatts - 1], ' ')`;
  return `EXISTS (SELECT FROM pg_index i WHERE i.indrelid = ${oid} AND i.indisunique AND i.indisvalid
      AND i.indpred IS NULL AND i.indexprs IS NULL AND ${key})`;
}

/** True while nobody has accepted another mapping. Parameters: the outbox and the accepted mapping as JSON. */
export function stillAcceptedSql(firstParameter: number): string {
  return `EXISTS (SELECT FROM outbox_console.mapping_fingerprint
    WHERE outbox = $${firstParameter} AND fingerprint = $${firstParameter + 1}::jsonb)`;
}

/** Both for the moment, as a condition with its parameters. */
export function acceptedNow(accepted: MappingFingerprint, outbox: string, firstParameter: number) {
  const sql = `${mappingFitsSql(accepted)} AND ${stillAcceptedSql(firstParameter)}`;
  return { sql, values: [outbox, JSON.stringify(toStored(accepted))] };
}
