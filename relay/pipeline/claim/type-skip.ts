import type { WaitingRow } from "#db/stores/port/relay/claim.ts";
import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import type { Lanes } from "../state/lanes.ts";
import type { PipelineContext } from "../state/pipeline-context.ts";
import { AGED_MS, type ReadBegun, type Watermark } from "../state/watermark.ts";
import type { WentBack } from "../state/went-back.ts";
import type { Withheld } from "../state/withheld.ts";

type Typed = Pick<OutgoingMessage, "id" | "aggregateKey" | "eventType" | "order">;

export interface TypeSkipEvents {
  /** Its event type is paused, or its route is at fault. */
  waits: (message: Typed) => boolean;
  /** Such a message was met: its aggregate waits from it on. */
  meet: (message: Typed) => void;
}

/** Fewer in one read are given back as quickly. */
const MANY_WAIT = 50;

/**
 * Spares reads the walk over messages whose event type waits. 200,000 of them were claimed and given back a page at a
 * time, and messages behind them waited until all had been. One statement learns the places of 20,000, without payloads.
 */
export class TypeSkip {
  readonly #table: PipelineContext["table"];
  readonly #state: { lanes: Lanes; watermark: Watermark; wentBack: WentBack; withheld: Withheld };
  readonly #events: TypeSkipEvents;
  #isWorth = false;

  constructor(
    { table }: Pick<PipelineContext, "table">,
    state: { lanes: Lanes; watermark: Watermark; wentBack: WentBack; withheld: Withheld },
    events: TypeSkipEvents,
  ) {
    this.#table = table;
    this.#state = state;
    this.#events = events;
  }

  /** A read that met mostly aggregates that wait from now on is likely to be followed by more. To be called before they do. */
  noteRead(messages: readonly OutgoingMessage[]): void {
    const { withheld } = this.#state;
    const isNew = ({ aggregateKey: key }: OutgoingMessage) => key !== null && !withheld.has(key);
    const waiting = messages.filter((message) => isNew(message) && this.#events.waits(message)).length;
    this.#isWorth = waiting >= MANY_WAIT && waiting * 2 >= messages.length;
  }

  /** True when the watermark was told of rows that need not be read: the next read begins behind them. */
  async skip(begun: ReadBegun, lease: PipelineContext["lease"]): Promise<boolean> {
    const { lanes, watermark } = this.#state;
    // A look back at the watermark would take the reads back to it.
    if (!this.#isWorth || begun.after !== watermark.readFrom) return false;
    const { rows, horizon } = await this.#table.lookAhead({
      lease,
      after: begun.after,
      excludeIds: lanes.ids(begun.after),
    });
    const stop = rows.findIndex((row) => !this.#passes(row));
    // The row at which the look began is among them: one alone is the last.
    this.#isWorth = stop < 0 && rows.length >= MANY_WAIT;
    const reached = rows.at(stop < 0 ? -1 : stop - 1);
    if (!reached || stop === 0) return false;
    return watermark.noteSkip({ begun, reached: reached.order, horizon, nowMs: performance.now() });
  }

  /** The row stays where it is. What is new may follow a row that is committed behind it: it is read from the watermark. */
  #passes(row: WaitingRow): boolean {
    const { wentBack, withheld } = this.#state;
    const { aggregateKey: key, order, ageMs } = row;
    if (key === null || !(ageMs > AGED_MS)) return false;
    if (withheld.has(key)) {
      withheld.note(key, order);
      return true;
    }
    // Earlier messages of the aggregate may be in the table that no read has brought.
    if (withheld.wasFreed(key) || wentBack.isBefore(row) || !this.#events.waits(row)) return false;
    this.#events.meet(row);
    return true;
  }
}
