import type { Logger } from "pino";
import type { RelayTable } from "#db/stores/port/relay/relay-table.ts";
import type { SeenTerm } from "#db/stores/port/relay/share-view.ts";

/** An owner stops publishing two thirds of its lease after its last renewal, and its lease is over at its end. */
const SILENT_LEASES = 4 / 3;

/**
 * Ends terms that are live by the database's clock and were not renewed for longer than their lease, by this process's
 * monotonic clock. Their owners are dead or frozen, but the database's clock was set back: no instance could take over
 * until it has caught up.
 */
export class SilentTerms {
  readonly #table: Pick<RelayTable, "endTerm">;
  readonly #owner: string;
  readonly #log: Logger;
  #known = new Map<string, { seen: string; sinceMs: number }>();

  constructor({ table, id, log }: { table: Pick<RelayTable, "endTerm">; id: string; log: Logger }) {
    this.#table = table;
    this.#owner = id;
    this.#log = log;
  }

  /** The answer shows every renewal from before `askedAtMs`. */
  async look(terms: readonly SeenTerm[], times: { askedAtMs: number; answeredAtMs: number }): Promise<void> {
    const before = this.#known;
    this.#known = new Map();
    for (const term of terms) {
      if (term.owner === this.#owner) continue;
      const key = `${term.epoch} ${term.owner}`;
      const known = before.get(key);
      const sinceMs = known?.seen === term.seen ? known.sinceMs : times.answeredAtMs;
      this.#known.set(key, { seen: term.seen, sinceMs });
      const silentMs = times.askedAtMs - sinceMs;
      if (term.leaseMs !== null && silentMs >= term.leaseMs * SILENT_LEASES) await this.#end(term, silentMs);
    }
  }

  async #end(term: SeenTerm, silentMs: number): Promise<void> {
    if (!(await this.#table.endTerm?.(term))) return;
    const { owner, epoch } = term;
    this.#log.warn({ owner, epoch, silentMs: Math.round(silentMs) }, ENDED);
  }
}

const ENDED =
  "ending a lease that its owner has not renewed for longer than its length; it did not expire by itself because the database's clock was set back";
