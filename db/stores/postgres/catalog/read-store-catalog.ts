import type { PoolClient } from "pg";
import { type LookMemory, lookAtValues } from "#db/shapes/columns/look-at-values.ts";
import { asNamed } from "#db/shapes/columns/looked-columns.ts";
import type { NamedTable } from "../../port/catalog.ts";
import type { StoreCatalog } from "../../port/store.ts";
import { countApplied } from "../connection/migrate.ts";
import { readFingerprints } from "../own-schema/mapping-fingerprints.ts";
import { STORE_SIDE_MIGRATIONS } from "../own-schema/migrate.ts";
import { findValues } from "./find-values.ts";
import { type CatalogMemory, readCatalog } from "./read-catalog.ts";

/**
 * The tables of a database with the values of their status columns, the state of our own schema and the accepted
 * mappings.
 */
export async function readStoreCatalog(
  client: PoolClient,
  schemas: readonly string[] | undefined,
  { looks, tables: lastRead }: { looks: LookMemory; tables: CatalogMemory },
  named: readonly NamedTable[] = [],
): Promise<StoreCatalog> {
  const tables = await readCatalog(client, schemas ? [...schemas] : undefined, lastRead);
  const ownSchema = stateOf(await countApplied(client, STORE_SIDE_MIGRATIONS.schema));
  const accepted = ownSchema === "current" ? await readFingerprints(client) : new Map();
  const looked = await lookAtValues(asNamed(tables, named), looks, (look, timeoutMs) =>
    findValues(client, look, timeoutMs),
  );
  return { tables: looked, ownSchema, accepted };
}

function stateOf(applied: number): StoreCatalog["ownSchema"] {
  const { known } = STORE_SIDE_MIGRATIONS;
  if (applied === known) return "current";
  if (applied > known) return "newer";
  return applied === 0 ? "missing" : "older";
}
