import type { AuditPage, AuditRow } from "#db/stores/port/audit.ts";
import { troubleOf } from "#db/stores/port/store-error.ts";
import type { Runtime, StoreHandle } from "../runtime.ts";
import { operatedStores } from "../stores/operated-stores.ts";

/** One audit: that of a store, or the console's own. */
export interface AuditSource {
  /** Name for sentences and for a page's link. */
  name: string;
  /** Prefix that keeps the ids of its entries apart from those of other audits. */
  prefix: string;
  /** Entries of the page, newest first. */
  read(page: AuditPage): Promise<AuditRow[]>;
}

export interface AuditSources {
  sources: AuditSource[];
  /** Sentences: which audits cannot be read. */
  missing: string[];
}

/**
 * The audits with entries of an outbox, or of everything that the runtime shows. Actions on messages and relays are in
 * their store's audit; actions on the console's own records, denied requests and exports are in the console's. Throws:
 * not_found, unavailable (the outbox's store).
 */
export async function auditSources(runtime: Runtime, outbox: string | undefined): Promise<AuditSources> {
  const { stores, missing } = outbox === undefined ? await operatedStores(runtime) : await storeOf(runtime, outbox);
  const ofStores = stores.map(({ name, guard, records }) => ({
    name: `store ${name}`,
    prefix: `${name}/`,
    read: (page: AuditPage) => guard.ask(() => records.audit(page)),
  }));
  return { sources: [...ofStores, ...consoleSource(runtime)], missing };
}

async function storeOf(runtime: Runtime, outbox: string): Promise<{ stores: StoreHandle[]; missing: string[] }> {
  const { storeSide, store } = await runtime.outbox(outbox);
  return { stores: storeSide ? [store] : [], missing: [] };
}

function consoleSource({ records, consoleGuard }: Runtime): AuditSource[] {
  if (!records || !consoleGuard) return [];
  const read = (page: AuditPage) =>
    consoleGuard
      .ask(() => records.audit(page))
      .catch((error: unknown) => {
        // A console side that is not migrated has no audit.
        if (troubleOf(error) === "missing") return [];
        throw error;
      });
  return [{ name: "the console", prefix: "", read }];
}
