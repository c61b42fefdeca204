import type { CompareOrder, OrderKey, OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import { ClaimCounts } from "./claim-counts.ts";
import { enqueue, type Held, type HowAdded, type Lane, takeFirst, yields } from "./lane.ts";
import { ReadyLanes } from "./ready-lanes.ts";

export type { Held, HowAdded, Lane } from "./lane.ts";

const SINGLE = "\u0000";

/** All messages in memory, in one lane per aggregate, and the lanes that may publish. */
export class Lanes {
  readonly #compare: CompareOrder;
  readonly #held = new Map<string, Held>();
  readonly #lanes = new Map<string, Lane>();
  readonly #ready = new ReadyLanes();
  #queuedRetried = 0;
  #queuedFollowed = 0;
  /** Messages in memory that are retried or followed. */
  #yielding = 0;
  readonly #retriedIds = new Set<string>();
  readonly #claims = new ClaimCounts();
  /** The last in order since memory was empty, whether or not it is still there; `alone`: no other has its place. */
  #last: { message: OutgoingMessage; alone: boolean } | null = null;
  readonly #returning = new Set<Held>();
  readonly #dying = new Set<Held>();
  #queued = 0;
  #bytes = 0;

  constructor(compare: CompareOrder) {
    this.#compare = compare;
  }

  get size(): number {
    return this.#held.size;
  }
  get queued(): number {
    return this.#queued;
  }
  get bytes(): number {
    return this.#bytes;
  }
  /** Lanes that can publish now. */
  get readyCount(): number {
    return this.#ready.size;
  }
  get hasReady(): boolean {
    return this.readyCount > 0;
  }
  /** Retried messages that wait for their turn. */
  get queuedRetried(): number {
    return this.#queuedRetried;
  }

  /** Followed messages that wait for their turn. */
  get queuedFollowed(): number {
    return this.#queuedFollowed;
  }
  /** True if a message in memory is new: neither retried nor followed. */
  get hasNew(): boolean {
    return this.#held.size > this.#yielding;
  }

  /** Ids of retried messages in memory, from their claim until their settle is committed. */
  get retriedIds(): ReadonlySet<string> {
    return this.#retriedIds;
  }

  /** With `order`: only the message of this place. */
  has(id: string, order?: OrderKey): boolean {
    const held = this.#held.get(id);
    return held !== undefined && (order === undefined || this.#compare(held.message.order, order) === 0);
  }
  /** Ids in memory at or above a position; all ids if it is null. */
  ids(from: OrderKey | null = null): string[] {
    if (from === null) return [...this.#held.keys()];
    // A backlog is read on from the last message.
    const last = this.#last === null ? -1 : this.#compare(this.#last.message.order, from);
    if (last < 0) return [];
    if (last === 0 && this.#last?.alone) return [this.#last.message.id].filter((id) => this.#held.has(id));
    const ids: string[] = [];
    for (const { message } of this.#held.values()) if (this.#compare(message.order, from) >= 0) ids.push(message.id);
    return ids;
  }
  tokens(): string[] {
    return this.#claims.tokens();
  }
  /** Aggregates with messages in memory. */
  keys(): string[] {
    return [...this.#lanes.values()].flatMap(({ key }) => key ?? []);
  }
  /** Messages of the aggregate that wait for their turn. */
  waiting(key: string): number {
    return this.#lanes.get(key)?.queue.length ?? 0;
  }

  /** Puts a message into its lane: one that was committed late goes before later ones that wait. */
  add(message: OutgoingMessage, token: string, retry: boolean, how: HowAdded = "placed"): Held {
    const name = message.aggregateKey ?? SINGLE + message.id;
    let lane = this.#lanes.get(name);
    if (!lane) {
      lane = { key: message.aggregateKey, queue: [], inFlight: 0, held: 0, returning: 0, dying: 0 };
      this.#lanes.set(name, lane);
    }
    const held: Held = { message, token, lane, retry, followed: how === "followed" };
    enqueue(held, how === "in_turn" ? null : this.#compare);
    lane.held += 1;
    this.#held.set(message.id, held);
    this.#claims.add(token);
    this.#noteLast(message);
    this.#queued += 1;
    if (retry) {
      this.#queuedRetried += 1;
      this.#retriedIds.add(message.id);
    }
    if (held.followed) this.#queuedFollowed += 1;
    if (yields(held)) this.#yielding += 1;
    this.#bytes += message.payload?.length ?? 0;
    this.#ready.addIfFree(lane);
    return held;
  }

  #noteLast(message: OutgoingMessage): void {
    const order = this.#last === null ? 1 : this.#compare(message.order, this.#last.message.order);
    if (order > 0) this.#last = { message, alone: true };
    else if (order === 0 && this.#last) this.#last.alone &&= message.id === this.#last.message.id;
  }

  /**
   * Takes the next messages to publish: the head of each ready lane, or with `runs` a run from each. New ones go first.
   */
  take(limit: number, runs: boolean): Held[] {
    const taken: Held[] = [];
    // An equal share for each ready lane: a sink may send a run one by one, and a long one would keep the others
    // waiting.
    const share = runs ? Math.max(1, Math.ceil(limit / this.readyCount)) : 1;
    for (const lane of this.#ready.inTurn()) {
      const run = takeFirst(lane, Math.min(share, limit - taken.length));
      lane.inFlight += run.length;
      this.#left(run);
      this.#ready.delete(lane);
      for (const held of run) taken.push(held);
      if (taken.length >= limit) break;
    }
    return taken;
  }

  /** These wait no more. */
  #left(gone: readonly Held[]): void {
    this.#queued -= gone.length;
    for (const { retry, followed } of gone) {
      if (retry) this.#queuedRetried -= 1;
      if (followed) this.#queuedFollowed -= 1;
    }
  }

  /** True if any message of the aggregate is in memory. */
  holds(key: string): boolean {
    return this.#lanes.has(key);
  }

  /** Takes one message out of its lane's queue, also out of turn. */
  takeAlone(held: Held): void {
    const { lane } = held;
    const place = lane.queue.indexOf(held);
    if (place < 0) return;
    lane.queue.splice(place, 1);
    lane.inFlight += 1;
    this.#left([held]);
    this.#ready.delete(lane);
  }

  /** The sink is done with the message, with any outcome. The lane continues once its whole run is done. */
  finish(held: Held): void {
    const { lane } = held;
    lane.inFlight -= 1;
    this.#ready.addIfFree(lane);
  }

  /** The message goes back to the table; its lane begins nothing until that is committed. */
  giveBack(held: Held): void {
    if (this.#returning.has(held)) return;
    this.#returning.add(held);
    held.lane.returning += 1;
    this.#ready.delete(held.lane);
  }

  /** The message is dead; its lane begins nothing until that is committed. */
  bury(held: Held): void {
    this.#dying.add(held);
    held.lane.dying += 1;
    this.#ready.delete(held.lane);
  }

  /** Removes and returns the waiting messages of a lane, to be given back. */
  empty(lane: Lane): Held[] {
    this.#ready.delete(lane);
    const waiting = lane.queue.splice(0);
    this.#left(waiting);
    return waiting;
  }

  /** Removes and returns the waiting messages of an aggregate after the first `most`. */
  surplus(key: string, most: number): Held[] {
    const surplus = this.#lanes.get(key)?.queue.splice(most) ?? [];
    this.#left(surplus);
    return surplus;
  }

  /** Removes and returns a waiting message and those behind it in its lane. */
  cutFrom(held: Held): Held[] {
    const place = held.lane.queue.indexOf(held);
    if (place < 0) return [];
    if (place === 0) return this.empty(held.lane);
    const cut = held.lane.queue.splice(place);
    this.#left(cut);
    return cut;
  }

  /** The first waiting message of each lane that passes the test. */
  firstOf(test: (message: OutgoingMessage) => boolean): Held[] {
    return [...this.#lanes.values()].flatMap(({ queue }) => queue.find(({ message }) => test(message)) ?? []);
  }

  emptyAll(): Held[] {
    return [...this.#lanes.values()].flatMap((lane) => this.empty(lane));
  }

  /** Tokens that have no message left once these are released. */
  endedTokens(held: readonly Held[]): string[] {
    return this.#claims.endedBy(held);
  }

  /** The settle of the message is committed: removes it from memory. */
  release(held: Held): void {
    const { message, token, lane } = held;
    if (this.#held.get(message.id) !== held) return;
    this.#held.delete(message.id);
    if (held.retry) this.#retriedIds.delete(message.id);
    if (yields(held)) this.#yielding -= 1;
    this.#bytes -= message.payload?.length ?? 0;
    if (this.#held.size === 0) this.#last = null;
    this.#claims.remove(token);
    lane.held -= 1;
    if (lane.held === 0) this.#lanes.delete(lane.key ?? SINGLE + message.id);
    if (lane.returning > 0 && this.#returning.delete(held)) lane.returning -= 1;
    else if (lane.dying > 0 && this.#dying.delete(held)) lane.dying -= 1;
    else return;
    this.#ready.addIfFree(lane);
  }
}
