import type { TableName } from "#db/stores/port/mapping.ts";
import { columnsOf, type MappingFingerprint } from "#db/stores/port/mapping-fingerprint.ts";
import { TableChangedError } from "#db/stores/port/table-changed-error.ts";
import type { Result, Session } from "../connection/session.ts";
import { mappingHoldsSql } from "../tables/mapping-holds.ts";
import { quoteIdentifier, quoteTable } from "../tables/mapping-sql.ts";
import { requireTransactions } from "../tables/require-transactions.ts";

/** How long a settle may rely on an earlier check, ms. */
const TRUSTED_MS = 100;
/** Counts up with every insert. */
const COUNTER = / AUTO_INCREMENT=\d+/;

/**
 * Notices that the table is not the accepted one any more. Asking the server's dictionary costs MySQL more than a
 * millisecond, as much as the rest of a small claim. So a claim asks for the table's definition, which the
 * server has at hand, and asks the dictionary only when that differs from the one that was checked before.
 */
export class TableGuard {
  /** SQL: true while the table is the accepted one, by the dictionary; see mapping-holds.ts. */
  readonly holdsSql: string;
  readonly #outbox: string;
  readonly #table: TableName;
  readonly #columns: readonly string[];
  #definition: string | null = null;
  #checkedAtMs = Number.NEGATIVE_INFINITY;

  constructor(outbox: string, table: TableName, accepted: MappingFingerprint | undefined) {
    this.#outbox = outbox;
    this.#table = table;
    this.#columns = accepted ? columnsOf(accepted).map(({ name }) => name) : [];
    this.holdsSql = accepted ? mappingHoldsSql(accepted) : "TRUE";
  }

  /** Statements after a claim's read, in its trip. The read has locked the definition until the transaction ends. */
  get statements(): string[] {
    return this.#columns.length === 0 ? [] : [`SHOW CREATE TABLE ${quoteTable(this.#table)}`];
  }

  /**
   * Judges the result of `statements`, in the same transaction. Throws TableChangedError, and wrong_state for a table
   * that has lost its transactions.
   */
  async check(session: Session, result: Result | undefined): Promise<void> {
    if (this.#columns.length === 0) return;
    const definition = result?.rows[0]?.[1]?.replace(COUNTER, "") ?? null;
    if (definition === null || definition !== this.#definition) {
      const [row] = await session.rows(`SELECT ${this.holdsSql}`);
      if (row?.[0] !== "1") throw new TableChangedError(this.#outbox);
      await requireTransactions(session, this.#table);
      this.#definition = definition;
    }
    this.#checkedAtMs = performance.now();
  }

  /**
   * Conditions of a settle in one trip: `names` fails if a column is missing, `holds` is true while the table is the
   * accepted one. A change of the last 100 ms that keeps every name is left to the next claim.
   */
  get required(): { names: string[]; holds: string; passed: () => void } {
    const nowMs = performance.now();
    const names = this.#columns.map(quoteIdentifier).join(", ");
    return {
      names: this.#columns.length === 0 ? [] : [`SELECT ${names} FROM ${quoteTable(this.#table)} WHERE FALSE`],
      holds: nowMs - this.#checkedAtMs < TRUSTED_MS ? "TRUE" : this.holdsSql,
      passed: () => {
        this.#checkedAtMs = Math.max(this.#checkedAtMs, nowMs);
      },
    };
  }
}
