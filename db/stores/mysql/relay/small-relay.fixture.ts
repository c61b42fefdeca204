import { setTimeout as delay } from "node:timers/promises";
import type { Horizon } from "#db/stores/port/relay/claim.ts";
import { type AcquiredLease, LeaseLostError } from "#db/stores/port/relay/lease.ts";
import type { OrderKey, OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import type { RelayTable } from "#db/stores/port/relay/relay-table.ts";
import { READ_ALL } from "./box.fixture.ts";
import { PUBLISHED } from "./relay-box.fixture.ts";

const LEASE_MS = 1500;
/** As the real relay's: a writer may have its number a moment before its transaction has an id. */
const WRITER_WINDOW_MS = 500;
const POLL_MS = 5;
const TERM_MS = 1200;

/** A minimal relay: terms, reads from a watermark, one message of an aggregate at a time, concurrent settles. */
export class SmallRelay {
  readonly #table: RelayTable;
  readonly #owner: string;
  readonly #publish: (message: OutgoingMessage) => Promise<void>;
  #most = 32;
  /** Stopped in the middle of its work, like a killed process. */
  #killed = false;
  #stopping = false;
  #endless = false;
  /** Places that the watermark has passed. */
  passed = 0;

  constructor(table: RelayTable, owner: string, publish: (message: OutgoingMessage) => Promise<void>) {
    this.#table = table;
    this.#owner = owner;
    this.#publish = publish;
  }

  /** A term's length in partitions; a new one begins when it changes. */
  share(most: number): void {
    this.#most = most;
  }
  /** The next term does not end by time. */
  stay(): void {
    this.#endless = true;
  }
  kill(): void {
    this.#killed = true;
  }
  stop(): void {
    this.#stopping = true;
  }
  get #ends(): boolean {
    return this.#killed || this.#stopping;
  }

  async run(): Promise<void> {
    while (!this.#ends) {
      const most = this.#most;
      const lease = await this.#table.acquireLease({ owner: this.#owner, leaseMs: LEASE_MS, share: true, most });
      if (lease) await this.#term(lease, most).catch(ignoreLostLease);
      else await delay(50);
    }
  }

  async #term(lease: AcquiredLease, most: number): Promise<void> {
    const inMemory = new Map<string, OutgoingMessage>();
    const lanes = new Map<string, Promise<void>>();
    const settles = new Set<Promise<void>>();
    const mark = new Mark(this.#table);
    let lost: unknown = null;
    let renewAtMs = performance.now() + LEASE_MS / 3;
    const endsAtMs = this.#endless ? Number.POSITIVE_INFINITY : performance.now() + TERM_MS;
    const work = async (token: string, messages: readonly OutgoingMessage[]) => {
      await Promise.all(messages.map((message) => inLane(lanes, message, () => this.#send(message))));
      if (this.#killed) return;
      const entries = messages.map((message) => ({ token, message, outcome: PUBLISHED }));
      await this.#table.settle({ lease, entries, endedTokens: [token], afterDoubt: false });
      for (const { id } of messages) inMemory.delete(id);
    };
    while (!this.#ends && lost === null && this.#most === most && performance.now() < endsAtMs) {
      if (performance.now() > renewAtMs) {
        if (!(await this.#table.renewLease(lease))) return;
        renewAtMs = performance.now() + LEASE_MS / 3;
      }
      const read = await this.#table.claimNew({
        ...READ_ALL,
        lease,
        after: mark.position,
        limit: 20,
        excludeIds: [...inMemory.keys()],
      });
      const messages = read.claim?.messages ?? [];
      this.passed += mark.noteRead(messages.at(-1)?.order ?? null, read);
      for (const message of messages) inMemory.set(message.id, message);
      if (read.claim) {
        const settling = work(read.claim.token, messages)
          .catch((error: unknown) => {
            lost = error;
          })
          .finally(() => settles.delete(settling));
        settles.add(settling);
      } else await delay(POLL_MS);
    }
    if (this.#killed) return;
    await Promise.all(settles);
    if (lost !== null) throw lost;
  }

  async #send(message: OutgoingMessage): Promise<void> {
    if (!this.#killed) await this.#publish(message);
  }
}

/** One after the other in each aggregate. */
function inLane(lanes: Map<string, Promise<void>>, { aggregateKey }: OutgoingMessage, work: () => Promise<void>) {
  const key = aggregateKey ?? "";
  const turn = (lanes.get(key) ?? Promise.resolve()).then(work);
  lanes.set(key, turn);
  return turn;
}

function ignoreLostLease(error: unknown): void {
  if (!(error instanceof LeaseLostError)) throw error;
}

/** Where reads begin: never above a row that can still be committed, because rows below are not read again. */
class Mark {
  readonly #table: RelayTable;
  #candidates: { order: OrderKey; horizon: Horizon; atMs: number }[] = [];
  position: OrderKey | null = null;

  constructor(table: RelayTable) {
    this.#table = table;
  }

  /** The number of places that it has passed now. */
  noteRead(reached: OrderKey | null, { more, horizon }: { more: boolean; horizon: Horizon }): number {
    const before = this.#candidates.length;
    const atMs = performance.now();
    for (let [first] = this.#candidates; first; [first] = this.#candidates) {
      const seen = !more || (reached !== null && this.#table.compareOrder(first.order, reached) <= 0);
      if (!seen || atMs - first.atMs < WRITER_WINDOW_MS || !horizon.hasPassed(first.horizon)) break;
      this.position = first.order;
      this.#candidates.shift();
    }
    const passed = before - this.#candidates.length;
    const last = this.#candidates.at(-1)?.order ?? this.position;
    if (reached !== null && (last === null || this.#table.compareOrder(reached, last) > 0))
      this.#candidates.push({ order: reached, horizon, atMs });
    return passed;
  }
}
