import type { Logger } from "pino";
import type { RelayTable } from "#db/stores/port/relay/relay-table.ts";
import { SearchPace } from "../pipeline/state/search-pace.ts";

/** A new message whose id a failed one had before waits this long, and as long as a walk over all records takes. */
const AGAIN_MS = 5000;
/** Wait after a failed query, such as one that timed out. */
const AFTER_FAILURE_MS = 60_000;

/**
 * Drops records of failed messages whose ids new messages have, as after a sequence restart. With such a record a
 * message that was never sent would count as dead. Walks over the records in steps, between other duties.
 */
export class ReusedIds {
  readonly #table: Pick<RelayTable, "dropReusedIds">;
  readonly #log: Logger;
  #next: string | null = null;
  readonly #pace = new SearchPace({ afterFailureMs: AFTER_FAILURE_MS });

  constructor({ table, log }: { table: Pick<RelayTable, "dropReusedIds">; log: Logger }) {
    this.#table = table;
    this.#log = log;
  }

  /** One step, if it is due. */
  async look(): Promise<void> {
    const startedMs = performance.now();
    if (!this.#table.dropReusedIds || !this.#pace.isDue(startedMs)) return;
    try {
      const { dropped, next } = await this.#table.dropReusedIds(this.#next);
      this.#next = next;
      this.#pace.rest(startedMs, { leastMs: next === null ? AGAIN_MS : 0 });
      if (dropped > 0) this.#log.warn({ dropped }, DROPPED);
    } catch (error) {
      this.#pace.restAfterFailure();
      this.#log.debug({ err: error }, "records of failures could not be compared with their rows; trying again later");
    }
  }
}

const DROPPED =
  "new messages reuse ids of failed messages that are gone, as after a sequence restart; the failure records were deleted and are kept in the audit";
