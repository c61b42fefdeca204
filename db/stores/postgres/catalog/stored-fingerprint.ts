import type { ColumnRole } from "../../port/mapping.ts";
import type { FingerprintColumn, MappingFingerprint } from "../../port/mapping-fingerprint.ts";

export type StoredColumn = Omit<FingerprintColumn, "typeKey"> & { typeOid: number; typeModifier: number };

/**
 * A fingerprint as stored in outbox_console.mapping_fingerprint. Statements compare it as jsonb, so its form must not
 * change.
 */
export interface StoredFingerprint extends Omit<MappingFingerprint, "key" | "primaryKey" | "columns"> {
  oid: number;
  primaryKey: StoredColumn[];
  columns: Partial<Record<ColumnRole, StoredColumn>>;
}

/** Key of a type from its OID and modifier; independent of the search path. */
export function typeKeyOf({ typeOid, typeModifier }: Pick<StoredColumn, "typeOid" | "typeModifier">): string {
  return `${typeOid}:${typeModifier}`;
}

export function toStoredColumn({ name, type, number, typeKey }: FingerprintColumn): StoredColumn {
  const [typeOid, typeModifier] = typeKey.split(":").map(Number);
  return { name, type, number, typeOid: typeOid ?? 0, typeModifier: typeModifier ?? 0 };
}

export function toStored({ key, primaryKey, columns, ...fingerprint }: MappingFingerprint): StoredFingerprint {
  return {
    ...fingerprint,
    oid: Number(key),
    primaryKey: primaryKey.map(toStoredColumn),
    columns: mapColumns(columns, toStoredColumn),
  };
}

export function fromStored({ oid, primaryKey, columns, ...fingerprint }: StoredFingerprint): MappingFingerprint {
  return {
    ...fingerprint,
    key: String(oid),
    primaryKey: primaryKey.map(fromStoredColumn),
    columns: mapColumns(columns, fromStoredColumn),
  };
}

function fromStoredColumn({ typeOid, typeModifier, ...column }: StoredColumn): FingerprintColumn {
  return { ...column, typeKey: typeKeyOf({ typeOid, typeModifier }) };
}

function mapColumns<From, To>(columns: Partial<Record<ColumnRole, From>>, map: (column: From) => To) {
  const mapped = Object.entries(columns).map(([role, column]) => [role, map(column)]);
  return Object.fromEntries(mapped) as Partial<Record<ColumnRole, To>>;
}
