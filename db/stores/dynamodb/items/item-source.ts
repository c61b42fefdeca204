import type { ItemFamily } from "../../port/item-family.ts";
import type { Link } from "../connection/link.ts";
import { readActionCount } from "../own-table/announced-actions.ts";
import { type OwnTable, PARTITIONS, queryRecords, type RecordsRead } from "../own-table/own-table.ts";
import type { DeliveryDoc } from "../own-table/relay-docs.ts";
import { type HeldClaim, readRelayState, serverNowMs } from "../own-table/terms.ts";
import { nowText } from "./instant.ts";
import type { ArchiveDoc, DeadDoc, RestoredDoc } from "./moved.ts";
import { type ItemsRead, readItems } from "./read-items.ts";

/** Our table's records of an outbox's messages. */
export interface Kept {
  dead: RecordsRead<DeadDoc>;
  archived: RecordsRead<ArchiveDoc>;
  restored: RecordsRead<RestoredDoc>;
  /** Failed messages whose items are in the team's table. */
  deliveries: RecordsRead<DeliveryDoc>;
  /** Claims of our relays. */
  claims: HeldClaim[];
}

export type Reading = ItemsRead & {
  kept: Kept;
  /** RFC 3339: when it began, by the server's clock. */
  asOf: string;
};

/** Records of one kind that one reading takes from our table. */
const MOST_RECORDS = 10_000;
const MOST_TRIES = 3;
const NONE = { records: [], complete: true, units: 0 };
/** One query of a partition with few items. */
const SMALL_QUERY_UNITS = 1;

interface SourceInput {
  link: Link;
  family: ItemFamily;
  /** How many families of the store share its budget. */
  readers: number;
  /** Our records of an outbox; null where it is only observed, and for an inbox. */
  records: { own: OwnTable; outbox: string } | null;
}

/**
 * The items of one family and our records about them, for every page, count and fact. Concurrent callers share a
 * reading, and it is reused until its capacity units have flowed back into the budget; almost no time for a cheap
 * reading.
 */
export class ItemSource {
  readonly #input: SourceInput;
  #last: Reading | null = null;
  #untilMs = 0;
  #reading: Promise<Reading | null> | null = null;

  constructor(input: SourceInput) {
    this.#input = input;
  }

  /** Null if the table does not exist. */
  async read(): Promise<Reading | null> {
    if (this.#last && performance.now() < this.#untilMs) return this.#last;
    this.#reading ??= this.#begin();
    return this.#reading;
  }

  /** Call after an operator's change: the items in memory are outdated. */
  forget(): void {
    this.#last = null;
    this.#reading = null;
  }

  #begin(): Promise<Reading | null> {
    const reading = this.#readAll().then((read) => {
      if (this.#reading !== reading) return read;
      this.#reading = null;
      this.#last = read;
      this.#untilMs = performance.now() + (read ? this.#restMs(read) : 0);
      return read;
    });
    reading.catch(() => {
      if (this.#reading === reading) this.#reading = null;
    });
    return reading;
  }

  async #readAll(): Promise<Reading | null> {
    const { link, family } = this.#input;
    for (let tried = 1; ; tried += 1) {
      const before = await this.#lastAction();
      const asOf = nowText(serverNowMs(link));
      // Read before the items, because an item that a relay settles meanwhile shows its own outcome.
      const early = await this.#readRelays();
      const [items, moved] = await Promise.all([readItems(link, family), this.#readMoved()]);
      const kept = { ...early, ...moved };
      const isOne = before === (await this.#lastAction());
      if (isOne || tried === MOST_TRIES) return items && { ...items, kept, asOf };
    }
  }

  /**
   * Changes with every action: a reading may show an item that is being moved twice or not at all. Null without
   * records.
   */
  async #lastAction(): Promise<string | null> {
    const { records } = this.#input;
    if (!records) return null;
    return readActionCount(records.own, records.outbox);
  }

  async #readRelays(): Promise<Pick<Kept, "deliveries" | "claims">> {
    const { records } = this.#input;
    if (!records) return { deliveries: NONE, claims: [] };
    const { own, outbox } = records;
    const query = { pk: PARTITIONS.deliveries(outbox), limit: MOST_RECORDS };
    const { claims } = await readRelayState(own, outbox);
    return { claims, deliveries: await queryRecords<DeliveryDoc>(own, query) };
  }

  async #readMoved(): Promise<Pick<Kept, "dead" | "archived" | "restored">> {
    const { records } = this.#input;
    if (!records) return { dead: NONE, archived: NONE, restored: NONE };
    const { own, outbox } = records;
    const read = <Doc>(partition: (outbox: string) => string) =>
      queryRecords<Doc>(own, { pk: partition(outbox), limit: MOST_RECORDS });
    const [dead, archived, restored] = await Promise.all([
      read<DeadDoc>(PARTITIONS.dead),
      read<ArchiveDoc>(PARTITIONS.archive),
      read<RestoredDoc>(PARTITIONS.restored),
    ]);
    return { dead, archived, restored };
  }

  #restMs({ units, kept: { dead, archived, restored, deliveries } }: Reading): number {
    const { link, readers } = this.#input;
    const ours = [dead, archived, restored, deliveries].reduce((sum, read) => sum + read.units, SMALL_QUERY_UNITS);
    return link.budget.restMs(units + ours, readers);
  }
}
