import type { CompareOrder, OrderKey, OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import { ClaimCounts } from "./claim-counts.ts";
import { type ClaimedMessage, enqueue, type HowAdded, type Lane, takeFirst, yields } from "./lane.ts";
import { laneNameOf } from "./lane-name.ts";
import { ReadyLanes } from "./ready-lanes.ts";

export type { ClaimedMessage, HowAdded, Lane } from "./lane.ts";

/** All messages in memory, in one lane per aggregate, and the lanes that may publish. */
export class Lanes {
  readonly #compare: CompareOrder;
  readonly #messages = new Map<string, ClaimedMessage>();
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
  readonly #returning = new Set<ClaimedMessage>();
  readonly #dying = new Set<ClaimedMessage>();
  #queued = 0;
  #bytes = 0;

  constructor(compare: CompareOrder) {
    this.#compare = compare;
  }

  get size(): number {
    return this.#messages.size;
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
    return this.#messages.size > this.#yielding;
  }

  /** Ids of retried messages in memory, from their claim until their settle is committed. */
  get retriedIds(): ReadonlySet<string> {
    return this.#retriedIds;
  }

  /** With `order`: only the message of this place. */
  has(id: string, order?: OrderKey): boolean {
    const claimed = this.#messages.get(id);
    return claimed !== undefined && (order === undefined || this.#compare(claimed.message.order, order) === 0);
  }
  /** Ids in memory at or above a position; all ids if it is null. */
  ids(from: OrderKey | null = null): string[] {
    if (from === null) return [...this.#messages.keys()];
    // A backlog is read on from the last message.
    const last = this.#last === null ? -1 : this.#compare(this.#last.message.order, from);
    if (last < 0) return [];
    if (last === 0 && this.#last?.alone) return [this.#last.message.id].filter((id) => this.#messages.has(id));
    const ids: string[] = [];
    for (const { message } of this.#messages.values())
      if (this.#compare(message.order, from) >= 0) ids.push(message.id);
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
  add(message: OutgoingMessage, token: string, retry: boolean, how: HowAdded = "placed"): ClaimedMessage {
    const name = laneNameOf(message);
    let lane = this.#lanes.get(name);
    if (!lane) {
      lane = { key: message.aggregateKey, queue: [], inFlight: 0, total: 0, returning: 0, dying: 0 };
      this.#lanes.set(name, lane);
    }
    const claimed: ClaimedMessage = { message, token, lane, retry, followed: how === "followed" };
    enqueue(claimed, how === "in_turn" ? null : this.#compare);
    lane.total += 1;
    this.#messages.set(message.id, claimed);
    this.#claims.add(token);
    this.#noteLast(message);
    this.#queued += 1;
    if (retry) {
      this.#queuedRetried += 1;
      this.#retriedIds.add(message.id);
    }
    if (claimed.followed) this.#queuedFollowed += 1;
    if (yields(claimed)) this.#yielding += 1;
    this.#bytes += sizeOf(message);
    this.#ready.addIfFree(lane);
    return claimed;
  }

  #noteLast(message: OutgoingMessage): void {
    const order = this.#last === null ? 1 : this.#compare(message.order, this.#last.message.order);
    if (order > 0) this.#last = { message, alone: true };
    else if (order === 0 && this.#last) this.#last.alone &&= message.id === this.#last.message.id;
  }

  /**
   * Takes the next messages to publish: the head of each ready lane, or with `runs` a run from each. New ones go first.
   */
  take(limit: number, runs: boolean): ClaimedMessage[] {
    const taken: ClaimedMessage[] = [];
    // An equal share for each ready lane: a sink may send a run one by one, and a long one would keep the others
    // waiting.
    const share = runs ? Math.max(1, Math.ceil(limit / this.readyCount)) : 1;
    for (const lane of this.#ready.inTurn()) {
      const run = takeFirst(lane, Math.min(share, limit - taken.length));
      lane.inFlight += run.length;
      this.#left(run);
      this.#ready.delete(lane);
      for (const claimed of run) taken.push(claimed);
      if (taken.length >= limit) break;
    }
    return taken;
  }

  /** These wait no more. */
  #left(gone: readonly ClaimedMessage[]): void {
    this.#queued -= gone.length;
    for (const { retry, followed } of gone) {
      if (retry) this.#queuedRetried -= 1;
      if (followed) this.#queuedFollowed -= 1;
    }
  }

  /** True if any message of the aggregate is in memory. */
  hasAggregate(key: string): boolean {
    return this.#lanes.has(key);
  }

  /** Takes one message out of its lane's queue, also out of turn. */
  takeAlone(claimed: ClaimedMessage): void {
    const { lane } = claimed;
    const place = lane.queue.indexOf(claimed);
    if (place < 0) return;
    lane.queue.splice(place, 1);
    lane.inFlight += 1;
    this.#left([claimed]);
    this.#ready.delete(lane);
  }

  /** The sink is done with the message, with any outcome. The lane continues once its whole run is done. */
  finish(claimed: ClaimedMessage): void {
    const { lane } = claimed;
    lane.inFlight -= 1;
    this.#ready.addIfFree(lane);
  }

  /** The message goes back to the table; its lane begins nothing until that is committed. */
  giveBack(claimed: ClaimedMessage): void {
    if (this.#returning.has(claimed)) return;
    this.#returning.add(claimed);
    claimed.lane.returning += 1;
    this.#ready.delete(claimed.lane);
  }

  /** The message is dead; its lane begins nothing until that is committed. */
  noteDead(claimed: ClaimedMessage): void {
    this.#dying.add(claimed);
    claimed.lane.dying += 1;
    this.#ready.delete(claimed.lane);
  }

  /** Removes and returns the waiting messages of a lane, to be given back. */
  empty(lane: Lane): ClaimedMessage[] {
    this.#ready.delete(lane);
    const waiting = lane.queue.splice(0);
    this.#left(waiting);
    return waiting;
  }

  /** Removes and returns the waiting messages of an aggregate after the first `most`. */
  surplus(key: string, most: number): ClaimedMessage[] {
    const surplus = this.#lanes.get(key)?.queue.splice(most) ?? [];
    this.#left(surplus);
    return surplus;
  }

  /** Removes and returns a waiting message and those behind it in its lane. */
  cutFrom(claimed: ClaimedMessage): ClaimedMessage[] {
    const place = claimed.lane.queue.indexOf(claimed);
    if (place < 0) return [];
    if (place === 0) return this.empty(claimed.lane);
    const cut = claimed.lane.queue.splice(place);
    this.#left(cut);
    return cut;
  }

  /** The first waiting message of each lane that passes the test. */
  firstOf(test: (message: OutgoingMessage) => boolean): ClaimedMessage[] {
    return [...this.#lanes.values()].flatMap(({ queue }) => queue.find(({ message }) => test(message)) ?? []);
  }

  emptyAll(): ClaimedMessage[] {
    return [...this.#lanes.values()].flatMap((lane) => this.empty(lane));
  }

  /** Tokens that have no message left once these are released. */
  endedTokens(claimed: readonly ClaimedMessage[]): string[] {
    return this.#claims.endedBy(claimed);
  }

  /** The settle of the message is committed: removes it from memory. */
  release(claimed: ClaimedMessage): void {
    const { message, token, lane } = claimed;
    if (this.#messages.get(message.id) !== claimed) return;
    this.#messages.delete(message.id);
    if (claimed.retry) this.#retriedIds.delete(message.id);
    if (yields(claimed)) this.#yielding -= 1;
    this.#bytes -= sizeOf(message);
    if (this.#messages.size === 0) this.#last = null;
    this.#claims.remove(token);
    lane.total -= 1;
    if (lane.total === 0) this.#lanes.delete(laneNameOf(message));
    if (lane.returning > 0 && this.#returning.delete(claimed)) lane.returning -= 1;
    else if (lane.dying > 0 && this.#dying.delete(claimed)) lane.dying -= 1;
    else return;
    this.#ready.addIfFree(lane);
  }
}

/** Text of the message in memory, characters. */
function sizeOf({ payload, headers }: OutgoingMessage): number {
  return (payload?.length ?? 0) + (headers?.length ?? 0);
}
