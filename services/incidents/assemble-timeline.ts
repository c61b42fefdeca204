import type { Incident, TimelineEntry } from "#contracts/watch/incidents.ts";
import type { IncidentEntryRow } from "#db/records/incidents.ts";
import { isLater } from "#domain/message/failure-group.ts";
import type { Runtime } from "../runtime.ts";
import { readConsoleEntries } from "./console-entries.ts";
import { type Entries, readStoreEntries } from "./store-entries.ts";

/** Time before the incident that is included, because it may hold the cause. */
const BEFORE_MS = 30 * 60_000;
/** Clocks of databases differ. */
const AHEAD_MS = 5 * 60_000;
const MOST = 500;

/** Entries of all other records from the incident's time, up to its end or up to now. Never throws. */
export async function readSources(runtime: Runtime, incident: Incident): Promise<Entries> {
  const span = {
    from: new Date(Date.parse(incident.since) - BEFORE_MS).toISOString(),
    to: incident.ended?.at ?? new Date(Date.now() + AHEAD_MS).toISOString(),
    outboxes: incident.outboxes,
  };
  const [console, stores] = await Promise.all([readConsoleEntries(runtime, span), readStoreEntries(runtime, span)]);
  const entries = newestFirst([...console.entries, ...stores.entries]);
  const cut = entries.length > MOST ? [`Only the newest ${MOST} entries of other records are shown.`] : [];
  return { entries: entries.slice(0, MOST), gaps: [...console.gaps, ...stores.gaps, ...cut] };
}

export function newestFirst(entries: readonly TimelineEntry[]): TimelineEntry[] {
  return entries.toSorted((one, other) => (isLater(one.at, other.at) ? -1 : isLater(other.at, one.at) ? 1 : 0));
}

/** People's notes and acts in the incident itself. */
export function ownEntry({ at, author, kind, text }: IncidentEntryRow): TimelineEntry {
  const words = { opened: "Incident opened", note: text, lead: text, renamed: text, ended: "Incident ended" }[kind];
  return {
    ...{ at, tone: "neutral", outbox: null, by: author, href: null },
    kind: kind === "note" ? "note" : "incident",
    text: words,
    detail: kind === "opened" || kind === "ended" ? text : null,
  };
}
