import type { OrderKey } from "#db/stores/port/relay/outgoing-message.ts";
import type { Notice } from "#db/stores/port/relay/relay-stream.ts";
import type { StreamPosition } from "#db/stores/port/relay/stream-transaction.ts";

interface Transaction {
  /** Null until its commit has been read. */
  end: StreamPosition | null;
  open: number;
}

interface Open {
  notice: Notice;
  transaction: Transaction;
}

/** Without a table the order is the place in the log, which no two inserts share. */
export function isSameOrder(left: OrderKey | null, right: OrderKey): boolean {
  return left?.[0] === right[0] && left[1] === right[1];
}

/**
 * Tracks the position up to which the server may discard its log: the end of the last transaction with no open notice
 * in it or before it. A notice is open from when it was read until its message is settled, parked in the store side, or
 * left to the table.
 */
export class Acknowledgements {
  /** By id, in the order of the log, because a row may replace an earlier one of its key. */
  readonly #open = new Map<string, Open[]>();
  /** Settled messages of transactions whose confirmation was not passed on, with the position of the commit. */
  readonly #settled = new Map<string, StreamPosition>();
  /** If the table keeps the messages, it has at most one of a key. */
  readonly #alone: boolean;
  #transactions: Transaction[] = [];
  #current: Transaction | null = null;
  #confirmed: StreamPosition = "";
  #size = 0;

  /** `alone`: no table is read, so each insert of a key is a separate message. */
  constructor(alone: boolean) {
    this.#alone = alone;
  }

  get confirmed(): StreamPosition {
    return this.#confirmed;
  }
  get size(): number {
    return this.#size;
  }

  has(id: string): boolean {
    return this.#open.has(id);
  }
  /** The first of the id that is open. */
  noticeOf(id: string): Notice | undefined {
    return this.#open.get(id)?.[0]?.notice;
  }
  /** True if the server resent a settled message, because our confirmation had not reached it yet. */
  wasSettled({ id, transaction }: Notice): boolean {
    return this.#settled.get(id) === transaction.position;
  }

  /** False if its message is open already. */
  begin(notice: Notice): boolean {
    this.#current ??= this.#push({ end: null, open: 0 });
    const open = this.#open.get(notice.id) ?? [];
    // The later transaction cannot be confirmed before the earlier one.
    if (open.length > 0 && !this.#alone) return false;
    this.#current.open += 1;
    this.#size += 1;
    this.#open.set(notice.id, [...open, { notice, transaction: this.#current }]);
    return true;
  }

  commit(end: StreamPosition): void {
    const current = this.#current ?? this.#push({ end: null, open: 0 });
    current.end = end;
    this.#current = null;
    this.#advance();
  }

  /** Nothing before `position` concerns this outbox. */
  position(position: StreamPosition): void {
    if (this.#transactions.length === 0 && position > this.#confirmed) this.#confirmed = position;
  }

  /** `order`: of the message, where several of the id may be open. */
  done(id: string, order?: OrderKey): void {
    const all = this.#open.get(id) ?? [];
    const place = this.#alone && order ? all.findIndex(({ notice }) => isSameOrder(notice.order, order)) : 0;
    const [open] = place < 0 ? [] : all.splice(place, 1);
    if (all.length === 0) this.#open.delete(id);
    if (!open) return;
    open.transaction.open -= 1;
    this.#size -= 1;
    this.#advance();
  }

  /** Remembers a settled message until its confirmation is passed on: this is its only record. */
  remember(id: string, position: StreamPosition): void {
    this.#settled.set(id, position);
  }

  /**
   * Called when `confirmed` was passed on to an open connection. Messages confirmed without one are resent by the next
   * connection, so they must be remembered until then.
   */
  passedOn(): void {
    for (const [id, position] of this.#settled) {
      if (position >= this.#confirmed) break;
      this.#settled.delete(id);
    }
  }

  /** Called before a new connection, which resends everything unconfirmed. */
  reset(): void {
    this.#open.clear();
    this.#size = 0;
    this.#transactions = [];
    this.#current = null;
  }

  #push(transaction: Transaction): Transaction {
    this.#transactions.push(transaction);
    return transaction;
  }

  #advance(): void {
    let passed = 0;
    for (const { end, open } of this.#transactions) {
      if (end === null || open > 0) break;
      this.#confirmed = end;
      passed += 1;
    }
    this.#transactions.splice(0, passed);
  }
}
