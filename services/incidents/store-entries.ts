import type { Operation } from "#contracts/message/operations.ts";
import type { TimelineEntry } from "#contracts/watch/incidents.ts";
import type { AuditPlace, AuditRow } from "#db/stores/port/audit.ts";
import { formatCount, formatPlural } from "#domain/format.ts";
import { isLater } from "#domain/message/failure-group.ts";
import { listedToOperation } from "../operations/listed-to-operation.ts";
import type { Runtime, StoreHandle } from "../runtime.ts";

const PAGE = 200;
/** Pages of a store's audit for each action. */
const MOST_PAGES = 5;
/** Actions on relays in the audit, as the timeline shows them. */
const OF_RELAYS: Readonly<Record<string, string>> = {
  "relay.pause": "Relay paused",
  "relay.resume": "Relay resumed",
  "relay.change_over": "Change-over",
};

interface Span {
  from: string;
  to: string;
  /** Empty: every outbox. */
  outboxes: readonly string[];
}

export interface Entries {
  entries: TimelineEntry[];
  /** Sentences: what could not be read, or only in part. */
  gaps: string[];
}

/** Operations, pauses and resumes of every store, as far as the stores answer. Never throws. */
export async function readStoreEntries(runtime: Runtime, span: Span): Promise<Entries> {
  const { outboxes, problems } = await runtime.tables();
  const concerned = outboxes.filter(({ name }) => span.outboxes.length === 0 || span.outboxes.includes(name));
  const stores = [...new Set(concerned.filter(({ storeSide }) => storeSide).map(({ store }) => store))];
  const read = await Promise.all(stores.map((store) => readStore(store, span)));
  const unread = problems.filter(({ name }) => name === null).map(({ store }) => notRead(store));
  return {
    entries: read.flatMap(({ entries }) => entries),
    gaps: [...new Set([...unread, ...read.flatMap(({ gaps }) => gaps)])],
  };
}

function notRead(store: string): string {
  return `The store ${store} could not be read: its operations and pauses are missing.`;
}

async function readStore(store: StoreHandle, span: Span): Promise<Entries> {
  try {
    const [operations, audit] = await Promise.all([
      store.guard.ask(() => operationsOf(store, span)),
      store.guard.ask(() => pausesOf(store, span)),
    ]);
    const cut = operations.cut || audit.cut;
    return {
      entries: [...operations.found.flatMap(operationEntry), ...audit.found.map(pauseEntry)],
      gaps: cut ? [`The store ${store.name} has more operations or audit entries than are read here.`] : [],
    };
  } catch {
    return { entries: [], gaps: [notRead(store.name)] };
  }
}

const isInside = (at: string, { from, to }: Span) => !isLater(from, at) && isLater(to, at);
const concerns = (outbox: string | null, { outboxes }: Span) =>
  outboxes.length === 0 || outbox === null || outboxes.includes(outbox);

async function operationsOf(store: StoreHandle, span: Span): Promise<{ found: Operation[]; cut: boolean }> {
  const outboxes = span.outboxes.length === 0 ? null : span.outboxes;
  const listed = (await store.records.bulk?.list({ outboxes, before: null, limit: PAGE })) ?? [];
  const last = listed.at(-1);
  const found = listed.flatMap(listedToOperation).filter(({ at }) => isInside(at, span));
  return { found, cut: listed.length >= PAGE && last !== undefined && isLater(last.at, span.from) };
}

async function pausesOf(store: StoreHandle, span: Span): Promise<{ found: AuditRow[]; cut: boolean }> {
  const read = await Promise.all(Object.keys(OF_RELAYS).map((action) => actsOf(store, span, action)));
  return { found: read.flatMap(({ found }) => found), cut: read.some(({ cut }) => cut) };
}

/** By the action itself: the audit has an entry for each message of a small operation as well. */
async function actsOf(store: StoreHandle, span: Span, action: string): Promise<{ found: AuditRow[]; cut: boolean }> {
  const { from, to } = span;
  const filter = { from, to, action, outcome: "done" };
  const found: AuditRow[] = [];
  let before: AuditPlace | null = null;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const rows: AuditRow[] = await store.records.audit({ filter, before, limit: PAGE });
    found.push(...rows.filter(({ outbox }) => concerns(outbox, span)));
    const last = rows.at(-1);
    if (rows.length < PAGE || last === undefined) return { found, cut: false };
    before = last;
  }
  return { found, cut: true };
}

const VERBS: Record<Operation["action"], string> = {
  retry: "Retry",
  "dead-letter": "Dead-letter",
  archive: "Archive",
  restore: "Restore",
  purge: "Purge",
  republish: "Re-publish",
  correct: "Correction",
};

function operationEntry(operation: Operation): TimelineEntry[] {
  if (operation.dryRun) return [];
  const { id, outbox, action, actor, at, reason } = operation;
  return [
    {
      ...{ at, kind: "operation", tone: "neutral", outbox, by: actor },
      text: `${VERBS[action]} of ${formatPlural(selectedOf(operation), "message")}: ${outcomeOf(operation)}`,
      detail: reason,
      href: `/operations/${encodeURIComponent(id)}?outbox=${encodeURIComponent(outbox)}`,
    },
  ];
}

function selectedOf({ bulk, done, skipped, failed, unknown }: Operation): number {
  return bulk?.counts.selected ?? done + skipped + failed + unknown;
}

function outcomeOf({ bulk, done, skipped, failed, unknown }: Operation): string {
  const counts: [number, string][] = bulk
    ? [
        [bulk.counts.published, "published"],
        [bulk.counts.failed_again, "failed again"],
        [bulk.counts.released, "released"],
        [bulk.counts.done, "done"],
        [bulk.counts.skipped + bulk.counts.refused, "skipped or refused"],
        [bulk.counts.cancelled, "cancelled"],
        [bulk.counts.unknown, "unknown"],
        [bulk.counts.left, "left"],
      ]
    : [
        [done, "done"],
        [skipped, "skipped"],
        [failed, "failed"],
        [unknown, "unknown"],
      ];
  const words = counts.filter(([count]) => count > 0).map(([count, word]) => `${formatCount(count)} ${word}`);
  return [...(bulk && bulk.state !== "finished" ? [bulk.state] : []), ...words].join(", ") || "none";
}

function pauseEntry({ at, action, actor, outbox, reason, detail }: AuditRow): TimelineEntry {
  const verb = OF_RELAYS[action] ?? action;
  return {
    ...{ at, kind: "relay", tone: "neutral", outbox, by: actor },
    text: detail === null ? verb : `${verb}: ${detail}`,
    detail: reason,
    href: outbox === null ? null : `/relays?outbox=${encodeURIComponent(outbox)}`,
  };
}
