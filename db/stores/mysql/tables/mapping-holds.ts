import { type SQL, sql } from "drizzle-orm";
import type { TableName } from "#db/stores/port/mapping.ts";
import { columnsOf, type FingerprintColumn, type MappingFingerprint } from "#db/stores/port/mapping-fingerprint.ts";
import { typeKeySql } from "../catalog/type-key-sql.ts";
import { toText } from "../connection/dialect.ts";
import type { OwnTables } from "../connection/session.ts";
import { fingerprintText } from "../own-schema/mapping-fingerprints.ts";
import { tableNamed } from "./outbox-table.ts";

/**
 * SQL: true while the table is the accepted one: columns of the same names and types, and a unique index over its key.
 * Without this check a statement by name would continue on a column that was re-created with another type. Without the
 * index one id could be two messages, and one settle would mark both. A table or column that was dropped and created
 * again with the same types is not recognised: MySQL keeps no identity of either that survives ALTER TABLE.
 * The condition names the table, so it takes a metadata lock that keeps out all such changes until the transaction
 * ends: the result also holds for later statements.
 * Race: a change that commits first is seen, because the lock is taken before anything is read; a later one waits.
 */
export function mappingHolds(accepted: MappingFingerprint): SQL {
  return sql`(NOT EXISTS (SELECT 1 FROM ${tableNamed(accepted.table)} WHERE false) AND ${mappingFits(accepted)})`;
}

/** The same as text. Costs several milliseconds on MySQL, whose dictionary is views over tables. */
export function mappingHoldsSql(accepted: MappingFingerprint): string {
  return toText(mappingHolds(accepted));
}

/** The same at this moment, without a lock: never waits for a session that changes the table. */
function mappingFits(accepted: MappingFingerprint): SQL {
  const columns = columnsOf(accepted);
  return sql`(${columns.length} = (SELECT COUNT(*) FROM information_schema.columns WHERE ${isOf(accepted.table)}
      AND (${sql.join(columns.map(isColumn), sql` OR `)}))
    AND ${keyIsUnique(accepted)})`.inlineParams();
}

/** The first two conditions find the table; names that differ in case only are equal to them. */
function isOf({ schema, name }: TableName): SQL {
  return sql`table_schema = ${schema} AND table_name = ${name}
    AND CAST(table_schema AS BINARY) = ${schema} AND CAST(table_name AS BINARY) = ${name}`;
}

function isColumn({ name, typeKey }: FingerprintColumn): SQL {
  return sql`(CAST(column_name AS BINARY) = ${name} AND CAST(${sql.raw(typeKeySql)} AS BINARY) = ${typeKey})`;
}

/** SQL: true if a unique index over exactly the key's columns, whole and never null, covers all rows. */
function keyIsUnique({ table, primaryKey }: MappingFingerprint): SQL {
  const parts = primaryKey.map(
    ({ name }, index) => sql`(seq_in_index = ${index + 1} AND CAST(column_name AS BINARY) = ${name})`,
  );
  return sql`EXISTS (SELECT 1 FROM information_schema.statistics WHERE ${isOf(table)} AND non_unique = 0
      GROUP BY index_name HAVING COUNT(*) = ${parts.length} AND COUNT(sub_part) = 0 AND SUM(nullable = 'YES') = 0
        AND SUM(${sql.join(parts, sql` OR `)}) = ${parts.length})`;
}

/** SQL: true while no other mapping has been accepted. */
export function stillAccepted(own: OwnTables, outbox: string, accepted: MappingFingerprint): SQL {
  const { mappingFingerprint: kept } = own;
  return sql`EXISTS (SELECT 1 FROM ${kept}
    WHERE ${kept.outbox} = ${outbox} AND ${kept.fingerprint} = ${fingerprintText(accepted)})`;
}

/** Both checks without a lock on the table. */
export function acceptedNow(own: OwnTables, accepted: MappingFingerprint, outbox: string): SQL {
  return sql`${mappingFits(accepted)} AND ${stillAccepted(own, outbox, accepted)}`;
}
