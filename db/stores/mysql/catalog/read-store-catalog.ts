import { type LookMemory, lookAtValues } from "#db/shapes/columns/look-at-values.ts";
import { asNamed } from "#db/shapes/columns/looked-columns.ts";
import type { NamedTable } from "../../port/catalog.ts";
import type { StoreCatalog } from "../../port/store.ts";
import { type OwnSchemaFacts, readOwnSchema } from "../connection/migrate.ts";
import type { OwnPlace } from "../connection/own-place.ts";
import type { Session } from "../connection/session.ts";
import { readFingerprints } from "../own-schema/mapping-fingerprints.ts";
import { STORE_SIDE_MIGRATIONS } from "../own-schema/migrate.ts";
import type { CatalogScope } from "./catalog-sql.ts";
import { findValues } from "./find-values.ts";
import { readCatalog } from "./read-catalog.ts";

/**
 * The tables that are searched with the values of their status columns, the state of our own and the accepted mappings.
 */
export async function readStoreCatalog(
  session: Session,
  scope: CatalogScope,
  memory: LookMemory,
  named: readonly NamedTable[] = [],
): Promise<StoreCatalog> {
  const tables = await readCatalog(session, scope);
  const ownSchema = stateOf(await readOwnSchema((text) => session.script([text]), scope.place), scope);
  const accepted = ownSchema === "current" ? await readFingerprints(session) : new Map();
  const looked = await lookAtValues(asNamed(tables, named), memory, (look, timeoutMs) =>
    findValues(session, look, timeoutMs),
  );
  return { tables: looked, ownSchema, accepted };
}

/** Those of another database count as missing: migrate says whose they are and what to do. */
function stateOf(
  { applied, belongsTo }: OwnSchemaFacts,
  { database }: { database: string | null; place: OwnPlace },
): StoreCatalog["ownSchema"] {
  const { known } = STORE_SIDE_MIGRATIONS;
  if (applied === 0 || belongsTo !== (database ?? "")) return "missing";
  if (applied === known) return "current";
  return applied > known ? "newer" : "older";
}
