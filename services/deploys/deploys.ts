import type { Deploy, DeployList, DeployQuery, NewDeploy } from "#contracts/watch/deploys.ts";
import { troubleOf } from "#db/stores/port/store-error.ts";
import { AppError } from "#domain/errors.ts";
import { askRecords, missingRecords } from "../ask-records.ts";
import { consoleEntry } from "../audit/console-entry.ts";
import { requireRole, type ServiceContext } from "../context.ts";
import { requireKnown } from "../outboxes/require-known.ts";
import type { Runtime } from "../runtime.ts";

const OLDEST_MS = 30 * 86_400_000;
/** Clocks of pipelines differ. */
const AHEAD_MS = 5 * 60_000;
const MISSING = missingRecords("deploys");

/** Newest first. Throws: unavailable. */
export async function listDeploys(input: { runtime: Runtime; query: DeployQuery }): Promise<DeployList> {
  const { outbox = null, from = null, to = null, limit } = input.query;
  const { records, consoleGuard } = input.runtime;
  const asOf = new Date().toISOString();
  if (!records || !consoleGuard) return { deploys: [], problem: MISSING.noDatabase, asOf };
  try {
    const deploys = await consoleGuard.ask(() => records.deploys({ outbox, from, to, limit }));
    return { deploys, problem: null, asOf };
  } catch (error) {
    if (troubleOf(error) === "missing") return { deploys: [], problem: MISSING.notMigrated, asOf };
    throw error;
  }
}

/**
 * Records a deploy, with an audit row. The same key of the same person returns the first one. Needs no store, so that a
 * deploy is recorded during an outage too. Throws: forbidden, invalid_input (its time), not_found (no such outbox),
 * conflict (the key was used for another deploy), wrong_state (no database for it), unavailable.
 */
export async function recordDeploy(input: {
  ctx: ServiceContext;
  deploy: NewDeploy;
  idempotencyKey: string | null;
}): Promise<Deploy> {
  const { ctx, deploy, idempotencyKey } = input;
  requireRole(ctx, "operator", input.deploy.outbox === null ? [] : [input.deploy.outbox]);
  const { service, version, outbox, link } = deploy;
  const at = deploy.at === undefined ? null : requireRecent(deploy.at);
  if (outbox !== null) requireKnown(ctx.runtime, outbox);
  const audit = consoleEntry(ctx.actor, "deploy.report", { outbox, detail: `${service} ${version}` });
  const { row, repeated } = await askRecords(ctx.runtime, MISSING, (records) =>
    records.addDeploy({ service, version, outbox, at, link, reportedBy: ctx.actor.name, idempotencyKey }, audit),
  );
  const same =
    row.service === service &&
    row.version === version &&
    row.outbox === outbox &&
    row.link === link &&
    (at === null || Date.parse(at) === Date.parse(row.at));
  if (repeated && !same) throw new AppError("conflict", "This Idempotency-Key was used for another deploy.");
  return row;
}

function requireRecent(at: string): string {
  const ms = Date.parse(at);
  const now = Date.now();
  if (ms < now - OLDEST_MS) throw new AppError("invalid_input", "`at` is more than 30 days ago.");
  if (ms > now + AHEAD_MS)
    throw new AppError("invalid_input", "`at` is more than 5 minutes ahead of this console's clock.");
  return at;
}
