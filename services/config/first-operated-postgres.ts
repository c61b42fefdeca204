import type { Config } from "./config-schema.ts";
import type { StoreConfig } from "./store-schema.ts";

type PostgresStore = Extract<StoreConfig, { kind: "postgres" }>;

/**
 * The first Postgres store of an outbox that is not only observed. The console side is there unless it has its own
 * database.
 */
export function firstOperatedPostgres({ outboxes, stores }: Config): PostgresStore | undefined {
  const changed = Object.values(outboxes).filter(({ mode }) => mode !== "observe");
  return changed.map(({ store }) => stores[store]).find((store): store is PostgresStore => store?.kind === "postgres");
}
