import type { WaitingRow } from "#db/stores/port/relay/claim.ts";
import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import type { Lanes } from "../../state/lanes/lanes.ts";
import type { PipelineContext } from "../../state/pipeline-context.ts";
import { AGED_MS, type ReadBegun, type Watermark } from "../../state/watermark.ts";
import type { WentBack } from "../../state/went-back.ts";
import type { Withheld } from "../../state/withheld.ts";

type Typed = Pick<OutgoingMessage, "id" | "aggregateKey" | "eventType" | "order">;

export interface TypeSkipEvents {
  /** True if its event type is paused or its route is at fault. */
  waits: (message: Typed) => boolean;
  /** Such a message was found: its aggregate waits from it on. */
  meet: (message: Typed) => void;
}

/** Fewer than this in one read are given back just as quickly. */
const MANY_WAIT = 50;

/**
 * Skips messages whose event type waits. When 200,000 of them were claimed and given back a page at a time, messages
 * behind them had to wait. One query reads the places of 20,000, without payloads.
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

  /** A read of mostly such messages makes another likely. Call before their aggregates are withheld. */
  noteRead(messages: readonly OutgoingMessage[]): void {
    const { withheld } = this.#state;
    const isNew = ({ aggregateKey: key }: OutgoingMessage) => key !== null && !withheld.has(key);
    const waiting = messages.filter((message) => isNew(message) && this.#events.waits(message)).length;
    this.#isWorth = waiting >= MANY_WAIT && waiting * 2 >= messages.length;
  }

  /** True if the watermark has skipped rows that need not be read: the next read begins after them. */
  async skip(begun: ReadBegun, lease: PipelineContext["lease"]): Promise<boolean> {
    const { lanes, watermark } = this.#state;
    // Not for a reread from the watermark: it would move the read position back.
    if (!this.#isWorth || begun.after !== watermark.readFrom) return false;
    const { rows, horizon, partial } = await this.#table.lookAhead({
      lease,
      after: begun.after,
      excludeIds: lanes.ids(begun.after),
    });
    if (partial) {
      this.#isWorth = false;
      return false;
    }
    const stop = rows.findIndex((row) => !this.#passes(row));
    // Another skip is worth it only if every row passed and there were many. The row at `after` is always among them.
    this.#isWorth = stop < 0 && rows.length >= MANY_WAIT;
    const reached = rows.at(stop < 0 ? -1 : stop - 1);
    if (!reached || stop === 0) return false;
    return watermark.noteSkip({ begun, reached: reached.order, horizon, nowMs: performance.now() });
  }

  /** True if the row stays in the table. A fresh row does not: it may follow one committed late, so it must be read. */
  #passes(row: WaitingRow): boolean {
    const { wentBack, withheld } = this.#state;
    const { aggregateKey: key, order, ageMs } = row;
    if (key === null || !(ageMs > AGED_MS)) return false;
    if (withheld.has(key)) {
      withheld.note(key, order);
      return true;
    }
    // The table may hold earlier messages of the aggregate that no read has returned.
    if (withheld.wasFreed(key) || wentBack.isBefore(row) || !this.#events.waits(row)) return false;
    this.#events.meet(row);
    return true;
  }
}
