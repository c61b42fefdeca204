import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { ALL_PARTITIONS } from "#domain/relay/partitions.ts";
import type { OwnTables, Session } from "../connection/session.ts";
import { claimStatement } from "../relay/claim/claim-new.ts";
import { rowReader } from "../relay/read-row.ts";
import type { StatementContext } from "../relay/relay-context.ts";
import { readTableFacts, type TableFacts } from "../relay/table-facts.ts";
import { scansOf } from "./plan-scans.ts";
import { explainText } from "./query-cost.ts";

/** How the relay's claim finds waiting rows. */
export interface ClaimPlan {
  /** False: each claim scans the table, or walks an index of all its rows. */
  indexed: boolean;
  /** The index it uses; null for a scan of the table. */
  index: string | null;
}

/** Plans the relay's own claim without reading a row. */
export async function explainClaim(session: Session, ref: OutboxRef, lanes: boolean): Promise<ClaimPlan> {
  const facts = await readTableFacts(session, ref.mapping);
  const context = contextOf(ref, { own: session.own, facts, lanes });
  const statement = claimStatement(context, rowReader(context, true), {
    lease: { outbox: ref.name, owner: "", epoch: 0, partitions: ALL_PARTITIONS, leaseMs: 0 },
    after: null,
    limit: 100,
    maxBytes: 1,
    excludeIds: [],
    excludeAggregates: [],
    wantLast: false,
  });
  const scans = scansOf(await explainText(session, statement), "o");
  const { lifecycle } = ref.mapping;
  // If every row is unsent, a walk along an index in order reads only rows that the relay wants.
  const everyWaits = lifecycle.kind === "delete" || lifecycle.kind === "log";
  const narrow = scans.every(({ how }) => how === "search" || (how === "walk" && everyWaits));
  const wide = scans.find(({ how }) => how !== "search");
  return { indexed: narrow, index: (narrow ? scans[0] : wide)?.index ?? null };
}

/** A context that only builds the statement's text. */
function contextOf(ref: OutboxRef, more: { own: OwnTables; facts: TableFacts; lanes: boolean }): StatementContext {
  return {
    outbox: ref.name,
    mapping: ref.mapping,
    relayId: "",
    sinkName: "",
    maxAttempts: ref.maxAttempts ?? 0,
    fields: {},
    mark: "column",
    onDead: "pass",
    accepted: undefined,
    leftOut: [],
    paused: { digest: "", entries: [], eventTypes: [], aggregates: [] },
    suspects: new Set(),
    ...more,
  };
}
