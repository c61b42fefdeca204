export interface ReferenceProblem {
  path: (string | number)[];
  message: string;
}

type Section = Readonly<Record<string, unknown>>;

/**
 * Checks references between sections. Works on the raw input as well as on the parsed configuration, so that an error
 * elsewhere does not hide these. Ignores values of the wrong form; the schema reports them.
 */
export function checkReferences(value: unknown): ReferenceProblem[] {
  const config = sectionOf(value) ?? {};
  const problems: ReferenceProblem[] = [];
  for (const [name, outbox] of sectionsOf(config.outboxes)) problems.push(...checkOutbox(config, name, outbox));
  for (const [name, inbox] of sectionsOf(config.inboxes)) problems.push(...checkInbox(config, name, inbox));
  const ignored = Array.isArray(config.ignoredTables) ? config.ignoredTables : [];
  for (const [index, entry] of ignored.entries())
    problems.push(...checkStore(config, ["ignoredTables", index], sectionOf(entry) ?? {}));
  return problems;
}

function checkOutbox(config: Section, name: string, outbox: Section): ReferenceProblem[] {
  const path = ["outboxes", name];
  const problems = checkStore(config, path, outbox);
  const fail = (at: string[], message: string) => problems.push({ path: [...path, ...at], message });
  const mode = outbox.mode ?? "observe";
  problems.push(...checkRetention(config, path, outbox));
  const debezium = debeziumOf(outbox);
  if (debezium) return [...problems, ...checkDebezium(config, path, outbox)];
  const given = outbox.relay !== undefined;
  if (mode === "relay" && !given) fail(["relay"], "mode relay needs a relay section");
  if (mode !== "relay" && given) fail(["mode"], "a relay section needs mode: relay");
  const relay = sectionOf(outbox.relay);
  if (relay) problems.push(...checkRelay(config, [...path, "relay"], relay));
  if (relay?.notify !== undefined && kindOfStore(config, outbox) === "mysql")
    fail(["relay", "notify"], "a mysql store has no notifications");
  if (relay && kindOfStore(config, outbox) === "dynamodb") {
    if (relay.notify !== undefined) fail(["relay", "notify"], "a dynamodb store has no notifications");
    const problem = whyNotFound(config, outbox);
    if (problem !== null && relay.source !== "cdc") fail(["mode"], problem);
  }
  return problems;
}

/** The section as written or as the schema returns it; null if our relay, or no publisher named here, publishes. */
function debeziumOf(outbox: Section): Section | null {
  const relay = sectionOf(outbox.relay);
  return sectionOf(outbox.debezium) ?? (relay?.source === "debezium" ? relay : null);
}

function checkDebezium(config: Section, path: string[], outbox: Section): ReferenceProblem[] {
  const problems: ReferenceProblem[] = [];
  const fail = (at: string, message: string) => problems.push({ path: [...path, at], message });
  if (outbox.mode === "relay")
    fail("mode", "Debezium publishes this outbox, and our relay would send its messages again: use operate or observe");
  if (kindOfStore(config, outbox) === "dynamodb") fail("relay", "Debezium does not read a dynamodb store");
  if (outbox.lifecycle !== undefined)
    fail("lifecycle", "the connector's offset says what Debezium has published, no column does: leave it out");
  if (outbox.corrections === true) fail("corrections", "needs rows that say whether they were published");
  return problems;
}

function checkInbox(config: Section, name: string, inbox: Section): ReferenceProblem[] {
  const path = ["inboxes", name];
  const problems = checkStore(config, path, inbox);
  const fail = (at: string, message: string) => problems.push({ path: [...path, at], message });
  if (inbox.retention !== undefined && inbox.outbox === undefined)
    fail("retention", "needs outbox: an inbox is kept as long as its outboxes can send a message again");
  if (inbox.retention !== undefined && kindOfStore(config, inbox) === "dynamodb")
    fail("retention", "a dynamodb store removes items by its time to live");
  if (inbox.processWithin === undefined) {
    for (const at of ["eventTypes", "keeps"])
      if (inbox[at] !== undefined) fail(at, "is used with processWithin only: set that too");
  } else if (inbox.outbox === undefined) fail("processWithin", "needs outbox: whose messages the consumer processes");
  return problems;
}

/**
 * Retention writes to the table, so it needs a mode that allows writes, and marks that show which rows are published.
 */
function checkRetention(config: Section, path: string[], outbox: Section): ReferenceProblem[] {
  const retention = sectionOf(outbox.retention) ?? {};
  const problems: ReferenceProblem[] = [];
  const fail = (message: string) => problems.push({ path: [...path, "retention"], message });
  if (Object.keys(retention).length === 0) return problems;
  if (debeziumOf(outbox)) fail("no row of an outbox that Debezium publishes says that it is published");
  if ((outbox.mode ?? "observe") === "observe") fail("removes rows, so it needs mode: operate or relay");
  if (kindOfStore(config, outbox) === "dynamodb")
    fail("a dynamodb store removes items by its time to live: set keepPublished of the family");
  const cdc = sectionOf(sectionOf(outbox.relay)?.cdc);
  if (cdc?.mark === "none") fail("with cdc.mark: none no row says that it is published");
  const partitions = sectionOf(retention.partitions);
  if (partitions?.drop === true && retention.published === undefined)
    fail("partitions.drop needs published.keep, which says when a partition is old");
  if (partitions?.drop === true && sectionOf(retention.published)?.then === "archive")
    fail("a dropped partition is not archived: with partitions.drop, published.then must be delete");
  if (partitions && kindOfStore(config, outbox) === "mysql") fail("partitions are managed on Postgres only");
  return problems;
}

/** Why a relay that polls would not find the waiting items of a family; null if it would. */
function whyNotFound(config: Section, outbox: Section): string | null {
  const { store = "default", table } = outbox;
  const families = sectionOf(sectionOf(sectionOf(config.stores)?.[String(store)])?.families);
  const family = sectionOf(families?.[String(table)]);
  // The missing family is reported separately.
  if (!family || family.waiting !== undefined) return null;
  return `a relay finds waiting items by an index: set stores.${String(store)}.families.${String(table)}.waiting`;
}

function kindOfStore(config: Section, { store = "default" }: Section): unknown {
  return sectionOf(sectionOf(config.stores)?.[String(store)])?.kind;
}

function checkStore(config: Section, path: (string | number)[], { store = "default" }: Section): ReferenceProblem[] {
  if (typeof store !== "string" || isThere(config.stores, store)) return [];
  return [{ path: [...path, "store"], message: `there is no store named "${store}"` }];
}

function checkRelay(config: Section, path: string[], relay: Section): ReferenceProblem[] {
  const problems: ReferenceProblem[] = [];
  const { sink } = relay;
  if (typeof sink === "string" && !isThere(config.sinks, sink)) {
    problems.push({ path: [...path, "sink"], message: `there is no sink named "${sink}"` });
  }
  const { preset = "plain", mode = "binary", source } = sectionOf(relay.route) ?? {};
  const fail = (at: string, message: string) => problems.push({ path: [...path, "route", at], message });
  if (preset !== "cloudevents") {
    const only = "is for preset cloudevents only";
    if (mode !== "binary") fail("mode", only);
    if (source !== undefined) fail("source", only);
  } else if (mode === "batch") {
    const problem = whyNoBatch(String(sink), sectionOf(sectionOf(config.sinks)?.[String(sink)]));
    if (problem !== null) fail("mode", problem);
  }
  return problems;
}

function whyNoBatch(name: string, sink: Section | null): string | null {
  if (sink?.kind !== "http") return "batch is for sinks of the kind http only";
  if ((sink.batch ?? 1) !== 1) return null;
  return `the sink "${name}" sends one event per request, which is not a batch: set its batch above 1, or use mode: structured`;
}

/** True also if `sections` is no section at all: the schema reports that. */
function isThere(sections: unknown, name: string): boolean {
  const known = sections === undefined ? {} : sectionOf(sections);
  return known === null || Object.hasOwn(known, name);
}

function sectionsOf(value: unknown): [string, Section][] {
  return Object.entries(sectionOf(value) ?? {}).flatMap(([name, inner]) => {
    const section = sectionOf(inner);
    return section ? [[name, section] as [string, Section]] : [];
  });
}

function sectionOf(value: unknown): Section | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Section) : null;
}
