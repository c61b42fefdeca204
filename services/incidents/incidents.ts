import { z } from "zod";
import {
  type Incident,
  type IncidentAct,
  type IncidentDetail,
  type IncidentList,
  type IncidentQuery,
  type NewIncident,
  timelineEntrySchema,
} from "#contracts/watch/incidents.ts";
import type { IncidentChange, IncidentRow } from "#db/records/incidents.ts";
import type { Records } from "#db/records/records.ts";
import { troubleOf } from "#db/stores/port/store-error.ts";
import { AppError } from "#domain/errors.ts";
import { askRecords, missingRecords } from "../ask-records.ts";
import { consoleEntry } from "../audit/console-entry.ts";
import { requireRole, type ServiceContext } from "../context.ts";
import { recordedMask } from "../masking/mask-recorded.ts";
import { requireKnown } from "../outboxes/require-known.ts";
import { perRuntime } from "../per-runtime.ts";
import type { Runtime } from "../runtime.ts";
import { SingleFlight } from "../single-flight.ts";
import { newestFirst, ownEntry, readSources } from "./assemble-timeline.ts";
import type { Entries } from "./store-entries.ts";

const MISSING = missingRecords("incidents", "tables");
const OLDEST_MS = 7 * 86_400_000;
const AHEAD_MS = 5 * 60_000;
const SOURCES_FRESH_MS = 3_000;
/** Notes and changes of one incident. */
const MOST_ENTRIES = 500;

/** Newest first. Throws: unavailable. */
export async function listIncidents(input: { runtime: Runtime; query: IncidentQuery }): Promise<IncidentList> {
  const { records, consoleGuard } = input.runtime;
  const { state, limit } = input.query;
  const asOf = new Date().toISOString();
  if (!records || !consoleGuard) return { incidents: [], problem: MISSING.noDatabase, asOf };
  try {
    const rows = await consoleGuard.ask(() => records.incidents({ open: state === "open", outboxes: null, limit }));
    return { incidents: rows.map(toIncident), problem: null, asOf };
  } catch (error) {
    if (troubleOf(error) === "missing") return { incidents: [], problem: MISSING.notMigrated, asOf };
    throw error;
  }
}

/**
 * One incident with its timeline, assembled from the existing records; for one that has ended, the copy from its end.
 * Throws: not_found, unavailable.
 */
export async function getIncident(input: { runtime: Runtime; id: string }): Promise<IncidentDetail> {
  const { runtime } = input;
  const { row, entries, kept } = await find(runtime, input.id);
  const incident = toIncident(row);
  const sources = await sourcesOf(runtime, incident, keptOf(kept));
  const said = await recordedMask(
    runtime.config,
    sources.entries.map(({ outbox }) => outbox),
  );
  const shown = sources.entries.map((one) =>
    one.kind === "finding" || one.kind === "alert" ? { ...one, detail: said(one.outbox, one.detail) } : one,
  );
  return {
    ...incident,
    timeline: newestFirst([...entries.map(ownEntry), ...shown]),
    gaps: sources.gaps,
    asOf: new Date().toISOString(),
  };
}

const flightOf = perRuntime(() => new SingleFlight<Entries>(SOURCES_FRESH_MS));

/**
 * While an incident is open, all its viewers share a reading. If its copy has gaps, the timeline is read again, unless
 * records have been deleted since.
 */
async function sourcesOf(runtime: Runtime, incident: Incident, kept: Entries | null): Promise<Entries> {
  if (kept?.gaps.length === 0) return kept;
  if (incident.ended !== null) {
    const now = await readSources(runtime, incident);
    return kept !== null && now.entries.length < kept.entries.length ? kept : now;
  }
  return flightOf(runtime).run(String(incident.id), () => readSources(runtime, incident));
}

/**
 * Opens an incident, with an audit row. Throws: forbidden, invalid_input, not_found (no such outbox), conflict (an open
 * one that the person has not seen), wrong_state (no database for it), unavailable.
 */
export async function openIncident(input: { ctx: ServiceContext; incident: NewIncident }): Promise<Incident> {
  const { ctx, incident } = input;
  requireRole(ctx, "operator", incident.outboxes);
  const { title, outboxes, group, lead, besides } = incident;
  const since = incident.since === undefined ? null : requireRecent(incident.since);
  for (const name of [...outboxes, ...(group ? [group.outbox] : [])]) requireKnown(ctx.runtime, name);
  const audit = consoleEntry(ctx.actor, "incident.open", { detail: title });
  const { row, opened } = await ask(ctx.runtime, (records) =>
    records.openIncident(
      { title, since, openedBy: ctx.actor.name, lead, outboxes, failureGroup: group, besides },
      audit,
    ),
  );
  if (opened) return toIncident(row);
  throw new AppError("conflict", `Incident ${row.id} is open already, by ${row.openedBy}: ${row.title}`, {
    details: { id: row.id },
  });
}

/**
 * Adds a note, changes the lead, renames or ends an incident, with an audit row. Throws: forbidden, not_found, conflict
 * (another person leads it or has ended it), wrong_state, unavailable.
 */
export async function changeIncident(input: {
  ctx: ServiceContext;
  id: string;
  act: IncidentAct;
}): Promise<IncidentDetail> {
  const { ctx, act } = input;
  const { runtime } = ctx;
  const { row } = await find(runtime, input.id);
  requireRole(ctx, "operator", row.outboxes);
  const change = changeOf(act, row);
  const detail = `Incident ${row.id}: ${act.act === "note" ? act.text : change.text}`;
  const done = await ask(runtime, (records) =>
    records.changeIncident(row.id, change, consoleEntry(ctx.actor, `incident.${act.act}`, { detail })),
  );
  if (!done) throw refusalOf(act, (await find(runtime, input.id)).row);
  if (act.act === "end") await keep(runtime, row.id);
  return getIncident({ runtime, id: input.id });
}

const entriesSchema = z.array(timelineEntrySchema);
/** Without gaps it is a list alone. */
const keptSchema = z.union([
  entriesSchema.transform((entries) => ({ entries, gaps: [] })),
  z.object({ entries: entriesSchema, gaps: z.array(z.string()) }),
]);

function keptOf(kept: unknown): Entries | null {
  return keptSchema.safeParse(kept).data ?? null;
}

/**
 * Copies other records, which are deleted sooner than incidents. Notes gaps in the copy, which later requests read
 * again.
 */
async function keep(runtime: Runtime, id: number): Promise<void> {
  const { row } = await find(runtime, String(id));
  const read = await readSources(runtime, toIncident(row));
  const kept = read.gaps.length === 0 ? read.entries : read;
  // The incident has ended already; without this its timeline is assembled from the records themselves.
  await ask(runtime, (records) => records.keepTimeline(id, kept)).catch(() => undefined);
}

async function find(runtime: Runtime, id: string) {
  const known = /^\d{1,12}$/.test(id) ? Number(id) : null;
  const found = known === null ? null : await ask(runtime, (records) => records.incident(known));
  if (!found) throw new AppError("not_found", `There is no incident ${id}.`);
  return found;
}

const ask = <Answer>(runtime: Runtime, work: (records: Records) => Promise<Answer>) =>
  askRecords(runtime, MISSING, work);

function requireRecent(since: string): string {
  const ms = Date.parse(since);
  if (ms < Date.now() - OLDEST_MS) throw new AppError("invalid_input", "`since` is more than 7 days ago.");
  if (ms > Date.now() + AHEAD_MS) throw new AppError("invalid_input", "`since` is ahead of this console's clock.");
  return since;
}

function changeOf(act: IncidentAct, row: IncidentRow): IncidentChange {
  switch (act.act) {
    case "note":
      return { kind: "note", text: act.text, most: MOST_ENTRIES };
    case "rename":
      return { kind: "renamed", title: act.title, text: `Renamed from “${row.title}” to “${act.title}”` };
    case "end":
      return { kind: "ended", text: act.outcome };
    case "lead": {
      const { from, to } = act;
      const text =
        to === null ? `${from ?? "Nobody"} no longer leads` : `${to} leads${from === null ? "" : `, before: ${from}`}`;
      return { kind: "lead", from, to, text };
    }
  }
}

function refusalOf(act: IncidentAct, row: IncidentRow): AppError {
  if (act.act === "note")
    return new AppError("wrong_state", `The incident has ${MOST_ENTRIES} entries; no more are kept.`);
  if (row.endedAt !== null)
    return new AppError("conflict", `${row.endedBy} ended this incident at ${row.endedAt.slice(11, 19)} UTC.`);
  return new AppError(
    "conflict",
    row.lead === null ? "Nobody leads this incident any more." : `${row.lead} leads this incident now.`,
  );
}

function toIncident(row: IncidentRow): Incident {
  const { id, title, since, openedAt, openedBy, lead, leadSince, outboxes, failureGroup } = row;
  return {
    ...{ id, title, since, openedAt, openedBy, outboxes },
    lead: lead === null ? null : { name: lead, since: leadSince ?? openedAt },
    group: failureGroup,
    ended: row.endedAt === null ? null : { at: row.endedAt, by: row.endedBy ?? "", outcome: row.outcome ?? "" },
  };
}
