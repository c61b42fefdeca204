import type { Records } from "#db/records/records.ts";
import { AppError } from "#domain/errors.ts";
import type { Actor } from "#domain/operator.ts";
import type { Config } from "./config/config-schema.ts";
import { type InboxConfig, outboxesOf } from "./config/inbox-schema.ts";
import { perRuntime } from "./per-runtime.ts";
import type { Runtime, Tables } from "./runtime.ts";

const MOST_KEPT = 200;
const keptOf = perRuntime(() => new Map<string, Runtime>());

/**
 * The runtime as one person sees it. For a person limited to named outboxes, the others do not exist, nor do records of
 * them or of no outbox. An inbox is visible if all of its outboxes are; one without outboxes is hidden.
 */
export function scopedRuntime(runtime: Runtime, actor: Actor): Runtime {
  if (!actor.grants || actor.grants.everywhere !== null) return runtime;
  const names = Object.keys(actor.grants.outboxes).sort();
  const kept = keptOf(runtime);
  const key = JSON.stringify(names);
  const known = kept.get(key);
  if (known) return known;
  if (kept.size >= MOST_KEPT) kept.clear();
  const made = narrow(runtime, names);
  kept.set(key, made);
  return made;
}

type Sees = (outbox: string) => boolean;

function narrow(runtime: Runtime, only: readonly string[]): Runtime {
  const sees: Sees = (outbox) => only.includes(outbox);
  const seesInbox = (name: string) => {
    const inbox = Object.hasOwn(runtime.config.inboxes, name) ? runtime.config.inboxes[name] : undefined;
    return inbox !== undefined && seesAll(inbox, sees);
  };
  const seesTable = ({ kind, name }: { kind: string; name: string }) =>
    kind === "outbox" ? sees(name) : seesInbox(name);
  const list = () => runtime.known.list().filter(seesTable);
  return {
    ...runtime,
    whole: runtime,
    sees,
    only,
    get config() {
      return narrowConfig(runtime.config, sees, new Set(list().map(({ store }) => store)));
    },
    known: {
      list,
      get dropped() {
        return runtime.known.dropped;
      },
      settle: () => runtime.known.settle(),
      drop: (table) => runtime.known.drop(table),
    },
    records: runtime.records && narrowRecords(runtime.records, sees, only),
    tables: async () => narrowTables(await runtime.tables(), seesTable),
    outbox: async (name) => {
      if (!sees(name)) throw new AppError("not_found", `There is no outbox named "${name}".`);
      return runtime.outbox(name);
    },
    inbox: async (name) => {
      if (!seesInbox(name)) throw new AppError("not_found", `There is no inbox named "${name}".`);
      return runtime.inbox(name);
    },
  };
}

function seesAll(inbox: Pick<InboxConfig, "outbox">, sees: Sees): boolean {
  const outboxes = outboxesOf(inbox);
  return outboxes.length > 0 && outboxes.every(sees);
}

function narrowConfig(config: Config, sees: Sees, stores: ReadonlySet<string>): Config {
  const outboxes = pick(config.outboxes, (name) => sees(name));
  const used = new Set([...stores, ...Object.values(outboxes).map(({ store }) => store)]);
  return {
    ...config,
    outboxes,
    inboxes: pick(config.inboxes, (_, inbox) => seesAll(inbox, sees)),
    stores: pick(config.stores, (name) => used.has(name)),
    ignoredTables: [],
    alerts: {
      ...config.alerts,
      webhooks: pick(config.alerts.webhooks, (_, { outboxes: of }) => of?.every(sees) ?? false),
    },
  };
}

function pick<Entry>(entries: Record<string, Entry>, keeps: (name: string, entry: Entry) => boolean) {
  const kept = Object.entries(entries).filter(([name, entry]) => keeps(name, entry));
  return Object.assign(Object.create(null), Object.fromEntries(kept)) as Record<string, Entry>;
}

function narrowTables(tables: Tables, sees: (table: { kind: string; name: string }) => boolean): Tables {
  const outboxes = tables.outboxes.filter(({ name }) => sees({ kind: "outbox", name }));
  const inboxes = tables.inboxes.filter(({ name }) => sees({ kind: "inbox", name }));
  const absent = tables.absent.filter(sees);
  const stores = new Set([
    ...[...outboxes, ...inboxes].map(({ store }) => store.name),
    ...absent.map((one) => one.store),
  ]);
  const named = (name: string) => sees({ kind: "outbox", name }) || sees({ kind: "inbox", name });
  return {
    outboxes,
    inboxes,
    absent,
    problems: tables.problems.filter(({ store, name }) => (name === null ? stores.has(store) : named(name))),
    unmapped: tables.unmapped.filter(({ name }) => sees({ kind: "outbox", name })),
    candidates: [],
    leftAlone: [],
    looked: [],
  };
}

/**
 * The records that are listed over all outboxes. Each list is narrowed in its query, because removing entries
 * afterwards would leave pages too short. Records of one outbox are read by its name, which is checked before.
 */
function narrowRecords(records: Records, sees: Sees, only: readonly string[]): Records {
  const seenOf = (outboxes: readonly string[] = only) => outboxes.filter(sees);
  const concerns = ({ outboxes, failureGroup }: { outboxes: string[]; failureGroup: { outbox: string } | null }) =>
    outboxes.length > 0 && outboxes.every(sees) && (failureGroup === null || sees(failureGroup.outbox));
  return {
    ...records,
    audit: (page) => records.audit({ ...page, filter: { ...page.filter, outboxes: seenOf(page.filter.outboxes) } }),
    alerts: (input) => records.alerts({ ...input, outboxes: only }),
    deploys: (filter) => records.deploys({ ...filter, outboxes: seenOf(filter.outboxes) }),
    span: (span) => records.span({ ...span, outboxes: seenOf(span.outboxes ?? only) }),
    incidents: (input) => records.incidents({ ...input, outboxes: only }),
    openIncident: (row, audit) => records.openIncident({ ...row, sees: concerns }, audit),
    incident: async (id) => {
      const found = await records.incident(id);
      return found && concerns(found.row) ? found : null;
    },
  };
}
