import type { Reconciliation } from "#contracts/outbox/reconciliation.ts";
import { describeMessages, describeRows } from "#domain/reconciliation/describe.ts";
import type { InboxConfig } from "../config/inbox-schema.ts";
import { outboxesOf } from "../config/inbox-schema.ts";
import type { InboxHandle, Runtime } from "../runtime.ts";
import type { PairCheck } from "./check-pair.ts";
import type { RowsCheck } from "./check-rows.ts";
import { NOT_CHECKED } from "./read-consumers.ts";
import { type InboxState, isReconciled, reconcile } from "./reconcile.ts";

/** Wait for the first check, ms. */
const PATIENCE_MS = 2_000;
const NOT_YET = { reason: NOT_CHECKED, since: null, index: null };

/**
 * The last check of an inbox against its outboxes; without its configuration, the lines to add. Throws: not_found;
 * unavailable, for an inbox that is missing and not configured.
 */
export async function getReconciliation(input: { runtime: Runtime; inbox: string }): Promise<Reconciliation> {
  const { runtime, inbox } = input;
  const config = Object.hasOwn(runtime.config.inboxes, inbox) ? runtime.config.inboxes[inbox] : undefined;
  if (config && isReconciled(config)) {
    const state = await reconcile(runtime, inbox, { waitMs: PATIENCE_MS });
    return compose(inbox, config, state);
  }
  const handle = await runtime.inbox(inbox);
  return {
    ...{
      inbox,
      withinSeconds: null,
      eventTypes: null,
      keepsSeconds: null,
      outboxes: [],
      rows: { check: null, unchecked: null },
    },
    suggestion: await suggest(runtime, handle),
  };
}

function compose(inbox: string, config: InboxConfig, state: InboxState | null): Reconciliation {
  return {
    inbox,
    withinSeconds: (config.processWithin ?? 0) / 1000,
    eventTypes: config.eventTypes ?? null,
    keepsSeconds: config.keeps === undefined ? null : config.keeps / 1000,
    suggestion: null,
    outboxes: outboxesOf(config).map((outbox) => {
      const pair = state?.pairs.find((one) => one.outbox === outbox);
      if (!pair) return { outbox, check: null, unchecked: NOT_YET };
      return { outbox, check: pair.check && toPairCheck(pair.check), unchecked: pair.unchecked };
    }),
    rows: state
      ? { check: state.rows.check && toRowsCheck(state.rows.check), unchecked: state.rows.unchecked }
      : { check: null, unchecked: NOT_YET },
  };
}

function toPairCheck(check: PairCheck): NonNullable<Reconciliation["outboxes"][number]["check"]> {
  const { asOf, checked, processed, recent, unknown, reasons, keptSince, capped } = check;
  return {
    ...{ asOf, checked, processed, recent, unknown, reasons, keptSince },
    looked: describeMessages(check),
    notProcessed: { value: check.notProcessed, precision: capped ? "capped" : "exact" },
    messages: check.messages.flatMap(({ id, eventId, eventType, createdAt, publishedAt, publishedSeconds, seenAs }) =>
      seenAs === "processed" || seenAs === "received"
        ? []
        : [{ id, eventId, eventType, createdAt, publishedAt, publishedSeconds, seenAs }],
    ),
  };
}

function toRowsCheck(check: RowsCheck): NonNullable<Reconciliation["rows"]["check"]> {
  const { asOf, checked, known, unknown, whole, rows } = check;
  return {
    ...{ asOf, checked, known, unknown },
    looked: describeRows(check),
    unmatched: { value: check.unmatched, precision: whole ? "exact" : "capped" },
    rows: rows.map(({ id, messageId, consumer, eventType, at }) => ({ id, messageId, consumer, eventType, at })),
  };
}

/** The configured outbox, otherwise those of the same store: only suggestions for a person. */
async function suggest(runtime: Runtime, { name, config, store }: InboxHandle): Promise<Reconciliation["suggestion"]> {
  const named = outboxesOf(config);
  const { outboxes } = await runtime.tables();
  const near = outboxes.filter((outbox) => outbox.store.name === store.name).map((outbox) => outbox.name);
  const guessed = named.length > 0 ? [...named] : near;
  const outbox = guessed.length === 1 ? guessed[0] : named.length > 1 ? `[${named.join(", ")}]` : "…";
  const lines = ["inboxes:", `  ${name}:`, `    store: ${store.name}`, `    table: ${config.table}`];
  return { outboxes: guessed, yaml: [...lines, `    outbox: ${outbox}`, "    processWithin: 5m"].join("\n") };
}
