import type { ConsumerFigures } from "#contracts/outbox/snapshot.ts";
import type { ConsumerFacts, ConsumersFacts } from "#domain/diagnosis/facts/consumers.ts";
import type { Runtime } from "../runtime.ts";
import type { PairCheck } from "./check-pair.ts";
import { consumersOf, type InboxState, reconcile } from "./reconcile.ts";

/** How long a snapshot waits for a check where none counts, ms. */
const FIRST_WAIT_MS = 700;
export const NOT_CHECKED = "It was not checked in the last minutes.";

/**
 * Results of the last checks of an outbox's inboxes against its published messages. `facts` is null if no inbox has a
 * time limit for processing. Waits a moment for a first check, and never throws.
 */
export async function readConsumers(
  runtime: Runtime,
  outbox: string,
): Promise<{ facts: ConsumersFacts | null; figures: ConsumerFigures[] }> {
  const consumers = consumersOf(runtime, outbox);
  if (consumers.length === 0) return { facts: null, figures: [] };
  const read = await Promise.all(
    consumers.map(async ([inbox, { processWithin = 0 }]) => {
      const state = await reconcile(runtime, inbox, { waitMs: FIRST_WAIT_MS });
      const seen = { inbox, withinSeconds: processWithin / 1000, state };
      return { fact: factOf(outbox, seen), figures: figuresOf(outbox, seen) };
    }),
  );
  const checks = read.flatMap(({ fact }) => fact ?? []);
  return {
    facts: { checks, unchecked: read.length - checks.length },
    figures: read.map(({ figures }) => figures),
  };
}

interface Seen {
  inbox: string;
  withinSeconds: number;
  state: InboxState | null;
}

/** Null if it is not known now. */
function factOf(outbox: string, { inbox, withinSeconds, state }: Seen): ConsumerFacts | null {
  const pair = state?.pairs.find((one) => one.outbox === outbox);
  if (!pair?.check || pair.unchecked) return null;
  const { check } = pair;
  const { asOf, checked, from, to, whole, notProcessed, capped, reasons } = check;
  const rows = state?.rows.unchecked === null ? state.rows.check : null;
  return {
    ...{ inbox, withinSeconds, notProcessed, capped, reasons },
    oldest: oldestOf(check, withinSeconds),
    checked: { at: asOf, checked, from, to, whole },
    rows: rows && { checked: rows.checked, unmatched: rows.unmatched },
  };
}

function oldestOf({ asOf, messages }: PairCheck, withinSeconds: number): ConsumerFacts["oldest"] {
  const [first] = messages;
  if (!first) return null;
  const { publishedSeconds } = first;
  const overdueAt = new Date(Date.parse(asOf) - (publishedSeconds - withinSeconds) * 1000).toISOString();
  return { publishedSeconds, atLeast: first.publishedAt === null, overdueAt };
}

const UNKNOWN = { value: 0, precision: "unknown" } as const;

function figuresOf(outbox: string, { inbox, withinSeconds, state }: Seen): ConsumerFigures {
  const pair = state?.pairs.find((one) => one.outbox === outbox);
  const known = pair?.check && !pair.unchecked ? pair.check : null;
  const rows = state?.rows.unchecked === null ? state.rows.check : null;
  return {
    ...{ inbox, withinSeconds },
    notProcessed: known ? notProcessedOf(known) : UNKNOWN,
    unknown: known?.unknown ?? 0,
    oldestSeconds: known?.messages[0]?.publishedSeconds ?? null,
    unmatchedRows: rows ? { value: rows.unmatched, precision: rows.whole ? "exact" : "capped" } : UNKNOWN,
    checkedAt: pair?.check?.asOf ?? null,
    problem: known ? null : (pair?.unchecked?.reason ?? NOT_CHECKED),
  };
}

/** Unknown if the inbox may have removed the rows of all checked messages: none missing does not mean all processed. */
function notProcessedOf({ checked, unknown, notProcessed, capped }: PairCheck): ConsumerFigures["notProcessed"] {
  if (checked > 0 && unknown === checked) return UNKNOWN;
  return { value: notProcessed, precision: capped ? "capped" : "exact" };
}
