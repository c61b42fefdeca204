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

/**
 * Tracks the position up to which the server may discard its log: the end of the last transaction with no open notice in it
 * or before it. A notice is open from when it was read until its message is settled, parked in the store side, or left to the
 * table.
 */
export class Acknowledgements {
  readonly #open = new Map<string, Open>();
  /** Settled messages of transactions whose confirmation was not passed on, with the position of the commit. */
  readonly #settled = new Map<string, StreamPosition>();
  #transactions: Transaction[] = [];
  #current: Transaction | null = null;
  #confirmed: StreamPosition = "";

  get confirmed(): StreamPosition {
    return this.#confirmed;
  }
  get size(): number {
    return this.#open.size;
  }

  has(id: string): boolean {
    return this.#open.has(id);
  }
  noticeOf(id: string): Notice | undefined {
    return this.#open.get(id)?.notice;
  }
  /** True if the server resent a settled message, because our confirmation had not reached it yet. */
  wasSettled({ id, transaction }: Notice): boolean {
    return this.#settled.get(id) === transaction.position;
  }

  begin(notice: Notice): void {
    this.#current ??= this.#push({ end: null, open: 0 });
    // A key inserted twice is one message; the later transaction cannot be confirmed before the earlier anyway.
    if (this.#open.has(notice.id)) return;
    this.#current.open += 1;
    this.#open.set(notice.id, { notice, transaction: this.#current });
  }

  commit(end: StreamPosition): void {
    const current = this.#current ?? this.#push({ end: null, open: 0 });
    current.end = end;
    this.#current = null;
    this.#advance();
  }

  /** The server has nothing for us before `position`. */
  position(position: StreamPosition): void {
    if (this.#transactions.length === 0 && position > this.#confirmed) this.#confirmed = position;
  }

  done(id: string): void {
    const open = this.#open.get(id);
    if (!open) return;
    this.#open.delete(id);
    open.transaction.open -= 1;
    this.#advance();
  }

  /** Remembers a settled message until its confirmation is passed on; nothing else records that it is settled. */
  remember(id: string, position: StreamPosition): void {
    this.#settled.set(id, position);
  }

  /**
   * Called when `confirmed` was passed on to an open connection. What is confirmed without one is resent by the next
   * connection, so it must be remembered till then.
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
