import type { Notice } from "#db/stores/port/relay/relay-stream.ts";

interface Transaction {
  /** Null until its commit has been read. */
  endLsn: bigint | null;
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
  readonly #settled = new Map<string, bigint>();
  #transactions: Transaction[] = [];
  #current: Transaction | null = null;
  #confirmed = 0n;

  get confirmed(): bigint {
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
    return this.#settled.get(id) === transaction.commitLsn;
  }

  begin(notice: Notice): void {
    this.#current ??= this.#push({ endLsn: null, open: 0 });
    // A key that is inserted twice is one message: the later transaction cannot be confirmed before the earlier anyway.
    if (this.#open.has(notice.id)) return;
    this.#current.open += 1;
    this.#open.set(notice.id, { notice, transaction: this.#current });
  }

  commit(endLsn: bigint): void {
    const current = this.#current ?? this.#push({ endLsn: null, open: 0 });
    current.endLsn = endLsn;
    this.#current = null;
    this.#advance();
  }

  /** The server has nothing for us before `lsn`. */
  position(lsn: bigint): void {
    if (this.#transactions.length === 0 && lsn > this.#confirmed) this.#confirmed = lsn;
  }

  done(id: string): void {
    const open = this.#open.get(id);
    if (!open) return;
    this.#open.delete(id);
    open.transaction.open -= 1;
    this.#advance();
  }

  /** Nothing but our memory knows that it is settled, until its transaction is confirmed. */
  remember(id: string, commitLsn: bigint): void {
    if (commitLsn >= this.#confirmed) this.#settled.set(id, commitLsn);
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
    for (const { endLsn, open } of this.#transactions) {
      if (endLsn === null || open > 0) break;
      this.#confirmed = endLsn;
      passed += 1;
    }
    if (passed === 0) return;
    this.#transactions.splice(0, passed);
    for (const [id, commitLsn] of this.#settled) {
      if (commitLsn >= this.#confirmed) break;
      this.#settled.delete(id);
    }
  }
}
