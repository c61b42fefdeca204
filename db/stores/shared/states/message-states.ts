import { type SQL, sql } from "drizzle-orm";
import type { MessageState } from "#domain/message/message-state.ts";
import type { OutboxMapping } from "../../port/mapping.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import { countsFailures } from "../../port/table-rules.ts";
import { nativeInFlight } from "./claim-predicates.ts";
import { all, any, grouped, isNotTrue, isTrue, NEVER } from "./conditions.ts";
import {
  countIsFailure,
  dead,
  expired,
  failedByRule,
  published,
  type StatedRow,
  unknown,
  unsent,
} from "./state-predicates.ts";

/** An engine's SQL for row `t` of an outbox and for our records of its message in `outbox_console`. */
export interface RecordedRow {
  row(mapping: OutboxMapping): StatedRow;
  /** Columns of the message's delivery row. */
  delivery: { messageId: SQL; deadAt: SQL };
  /** The message is in a live claim of our relays, or in one that its relay left behind. */
  isClaimed(ref: OutboxRef, how: "live" | "orphaned"): SQL;
  /** Failed attempts, from the table's own count if it has one. */
  attemptsOf(ref: OutboxRef): SQL<number | null>;
  /** The same condition, compiled once. */
  frozen(state: SQL<MessageState>): SQL<MessageState>;
}

/** The state of a message by its table and the store side; state-predicates.ts judges by the table alone. */
export class MessageStates {
  readonly #of: RecordedRow;
  readonly #known = new WeakMap<OutboxMapping, Map<boolean, SQL<MessageState>>>();

  constructor(of: RecordedRow) {
    this.#of = of;
  }

  /** The first that holds, in the order of domain/message/message-state.ts. Cached. */
  stateOf(ref: OutboxRef): SQL<MessageState> {
    const known = this.#known.get(ref.mapping) ?? new Map<boolean, SQL<MessageState>>();
    this.#known.set(ref.mapping, known);
    const state = known.get(ref.storeSide) ?? this.#of.frozen(this.#firstState(ref));
    known.set(ref.storeSide, state);
    return state;
  }

  /** At least one attempt has failed. */
  hasFailed(ref: OutboxRef): SQL {
    const { lifecycle, columns } = ref.mapping;
    const byRule = isTrue(grouped(failedByRule(this.#of.row(ref.mapping))));
    if (lifecycle.kind === "rules" && !countsFailures(lifecycle, columns)) return byRule;
    const counted = sql`coalesce(${this.#of.attemptsOf(ref)}, 0) > 0`;
    return any(byRule, grouped(all(counted, countIsFailure(this.#of.row(ref.mapping)))));
  }

  /** Dead by the table's own columns or by the store side. */
  isDead(ref: OutboxRef): SQL {
    const outbox = this.#of.row(ref.mapping);
    const native = isTrue(dead(outbox));
    if (!ref.storeSide) return native;
    return any(native, grouped(all(sql`${this.#of.delivery.deadAt} IS NOT NULL`, isNotTrue(published(outbox)))));
  }

  /**
   * Unsent by the table and not dead by the store side; of a table whose progress is kept in the log, recorded as
   * waiting.
   */
  isUnsent(ref: OutboxRef): SQL {
    if (ref.mapping.lifecycle.kind === "log") return this.#isRecorded(ref);
    const native = unsent(this.#of.row(ref.mapping));
    return ref.storeSide ? all(native, sql`${this.#of.delivery.deadAt} IS NULL`) : native;
  }

  /** The state is unknown from the table and, if progress is kept in the log, also from our records. */
  isUnknown(ref: OutboxRef): SQL {
    const native = unknown(this.#of.row(ref.mapping));
    if (ref.mapping.lifecycle.kind !== "log" || !ref.storeSide) return native;
    return all(native, isNotTrue(any(this.isDead(ref), grouped(this.isUnsent(ref)))));
  }

  #firstState(ref: OutboxRef): SQL<MessageState> {
    const outbox = this.#of.row(ref.mapping);
    return sql`CASE
    WHEN ${this.isUnknown(ref)} THEN 'unknown'
    WHEN ${this.isDead(ref)} THEN 'dead'
    WHEN ${published(outbox)} THEN 'published'
    WHEN ${expired(outbox)} THEN 'expired'
    WHEN ${any(this.#of.isClaimed(ref, "live"), nativeInFlight(outbox))} THEN 'in_flight'
    WHEN ${this.hasFailed(ref)} THEN 'failed'
    ELSE 'pending' END`;
  }

  /** Our relay has a record or a claim of the message, which is therefore waiting until that is deleted. */
  #isRecorded(ref: OutboxRef): SQL {
    if (!ref.storeSide) return NEVER;
    const { row, delivery, isClaimed } = this.#of;
    const recorded = any(sql`${delivery.messageId} IS NOT NULL`, isClaimed(ref, "live"), isClaimed(ref, "orphaned"));
    return all(recorded, sql`${delivery.deadAt} IS NULL`, isNotTrue(published(row(ref.mapping))));
  }
}
