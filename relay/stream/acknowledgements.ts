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
 * Up to where the server may forget: the end of the last transaction of which, as of all before it, nothing is open. A
 * notice is open from when it was read until its message is settled, kept beside, or left to the table.
 */
export class Acknowledgements {
  readonly #open = new Map<string, Open>();
  /** Settled in transactions that are not confirmed yet, by the position of their commit. */
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
  /** Told again by a server that had not heard yet that it was done. */
  wasSettled({ id, transaction }: Notice): boolean {
    return this.#settled.get(id) === transaction.position;
  }

  begin(notice: Notice): void {
    this.#current ??= this.#push({ end: null, open: 0 });
    // A key that is inserted twice is one message: the later transaction cannot be confirmed before the earlier anyway.
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

  /** Nothing but our memory knows that it is settled, until its transaction is confirmed. */
  remember(id: string, position: StreamPosition): void {
    if (position >= this.#confirmed) this.#settled.set(id, position);
  }

  /** A new connection tells everything again that is not confirmed. */
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
    if (passed === 0) return;
    this.#transactions.splice(0, passed);
    for (const [id, position] of this.#settled) {
      if (position >= this.#confirmed) break;
      this.#settled.delete(id);
    }
  }
}
