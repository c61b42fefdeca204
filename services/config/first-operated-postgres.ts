import type { Config } from "./config-schema.ts";
import type { StoreConfig } from "./store-schema.ts";

type PostgresStore = Extract<StoreConfig, { kind: "postgres" }>;

/** The store of the first outbox that may be changed, where the console side lives unless it has a database of its own. */
export function firstOperatedPostgres({ outboxes, stores }: Config): PostgresStore | undefined {
  const changed = Object.values(outboxes).filter(({ mode }) => mode !== "observe");
  return changed.map(({ store }) => stores[store]).find((store): store is PostgresStore => store?.kind === "postgres");
}
