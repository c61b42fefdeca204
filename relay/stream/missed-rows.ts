import type { RelayStream } from "#db/stores/port/relay/relay-stream.ts";

const LOOK_MS = 5000;
/** The log does not announce a scheduled message becoming due. */
const SCHEDULED_LOOK_MS = 500;
const LIMIT = 1000;

/**
 * Checks the table while the stream flows. An unsent row without a notice is missed if it is still there some seconds
 * later; a scheduled row has become due.
 */
export class MissedRows {
  readonly #stream: RelayStream;
  #seen = new Map<string, number>();
  #nextMs = 0;

  constructor(stream: RelayStream) {
    this.#stream = stream;
  }

  async look(input: {
    now: number;
    excludeAggregates: readonly string[];
    known: (id: string) => boolean;
  }): Promise<"none" | "due" | "missed"> {
    const { now, excludeAggregates, known } = input;
    if (now < this.#nextMs) return "none";
    this.#nextMs = now + (this.#stream.schedules ? SCHEDULED_LOOK_MS : LOOK_MS);
    const rows = await this.#stream.unsent({ limit: LIMIT, excludeAggregates });
    const unknown = rows.filter(({ id }) => !known(id));
    const before = this.#seen;
    this.#seen = new Map(unknown.map(({ id }) => [id, before.get(id) ?? now]));
    if (unknown.some(({ id }) => now - (before.get(id) ?? now) >= LOOK_MS - SCHEDULED_LOOK_MS)) return "missed";
    return unknown.some(({ scheduled }) => scheduled) ? "due" : "none";
  }
}
