import type { Pool } from "pg";
import { recogniseOutbox } from "#db/shapes/recognise.ts";
import { fingerprintOf, type MappingFingerprint } from "#db/stores/port/mapping-fingerprint.ts";
import { readCatalog } from "#db/stores/postgres/catalog/read-catalog.ts";

/** The mapping of a table as its first start accepts it. */
export async function resolveFingerprint(pool: Pool, name: string): Promise<MappingFingerprint> {
  const tables = await readCatalog(pool, undefined);
  const table = tables.find((candidate) => candidate.name === name);
  if (!table) throw new Error(`There is no table ${name}.`);
  const recognised = recogniseOutbox(table, tables);
  if ("problem" in recognised) throw new Error(recognised.problem);
  const fingerprint = fingerprintOf(table, recognised.mapping);
  if (!fingerprint) throw new Error(`A column of ${name} is missing.`);
  return fingerprint;
}
