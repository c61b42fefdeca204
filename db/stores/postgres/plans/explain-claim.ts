import type { PoolClient } from "pg";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { ALL_PARTITIONS } from "#domain/relay/partitions.ts";
import { PLANNER_SETTINGS } from "../connection/session-settings.ts";
import { claimStatement } from "../relay/claim/claim-new.ts";
import { parametersOf } from "../relay/claim/claimable.ts";
import { rowReader } from "../relay/read-row.ts";
import type { StatementContext } from "../relay/relay-context.ts";
import { partialIndexes } from "./find-access.ts";
import { type Scan, scansOf } from "./plan-scans.ts";
import { explainText } from "./query-cost.ts";

/** How the relay's claim finds waiting rows. */
export interface ClaimPlan {
  /** False: each claim scans the table, or walks an index of all its rows. */
  indexed: boolean;
  /** The index it uses; null for a scan of the table. */
  index: string | null;
}

/**
 * Plans the relay's own claim with the settings of its sessions, without reading a row. These switch off sequential
 * scans, so a table that is still small gives the same answer. Needs a transaction.
 */
export async function explainClaim(client: PoolClient, ref: OutboxRef, lanes: boolean): Promise<ClaimPlan> {
  const context = contextOf(ref, lanes);
  const statement = claimStatement(context, rowReader(context, true), {
    fromStart: true,
    measured: false,
    shared: false,
  });
  const parameters = parametersOf(context, {
    lease: { outbox: ref.name, owner: "", epoch: 0, partitions: ALL_PARTITIONS, leaseMs: 0 },
    after: null,
    limit: 100,
    maxBytes: 1,
    excludeIds: [],
    excludeAggregates: [],
    wantLast: false,
  });
  const partial = await partialIndexes(client, ref);
  await client.query(
    `SAVEPOINT claim_settings; ${PLANNER_SETTINGS.map((setting) => `SET LOCAL ${setting}`).join("; ")}`,
  );
  const scans = scansOf(await explainText(client, statement, parameters), "o");
  await client.query("ROLLBACK TO SAVEPOINT claim_settings");
  const indexed = scans.every((scan) => isNarrow(scan, partial));
  return { indexed, index: scans.find((scan) => indexed || !isNarrow(scan, partial))?.index ?? null };
}

function isNarrow({ index, searched }: Scan, partial: ReadonlyMap<string, string>): boolean {
  return index !== null && (searched || partial.has(index));
}

/** A context that only builds the statement's text. */
function contextOf(ref: OutboxRef, lanes: boolean): StatementContext {
  return {
    outbox: ref.name,
    mapping: ref.mapping,
    lanes,
    relayId: "",
    sinkName: "",
    maxAttempts: ref.maxAttempts ?? 0,
    fields: {},
    mark: "column",
    onDead: "pass",
    accepted: undefined,
    mappingHolds: "true",
    leftOut: [],
    paused: { digest: "", entries: [], eventTypes: [], aggregates: [] },
    measures: "stored",
    suspects: new Set(),
  };
}
