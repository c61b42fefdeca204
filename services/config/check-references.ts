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
  for (const [name, inbox] of sectionsOf(config.inboxes))
    problems.push(...checkStore(config, ["inboxes", name], inbox));
  return problems;
}

function checkOutbox(config: Section, name: string, outbox: Section): ReferenceProblem[] {
  const path = ["outboxes", name];
  const problems = checkStore(config, path, outbox);
  const fail = (at: string[], message: string) => problems.push({ path: [...path, ...at], message });
  const mode = outbox.mode ?? "observe";
  const given = outbox.relay !== undefined;
  if (mode === "relay" && !given) fail(["relay"], "mode relay needs a relay section");
  if (mode !== "relay" && given) fail(["mode"], "a relay section needs mode: relay");
  const relay = sectionOf(outbox.relay);
  if (relay) problems.push(...checkRelay(config, [...path, "relay"], relay));
  if (relay && kindOfStore(config, outbox) === "mysql") {
    if (relay.source === "cdc") fail(["relay", "source"], "the log of a mysql store is not read yet: use polling");
    if (relay.notify !== undefined) fail(["relay", "notify"], "a mysql store has no notifications");
  }
  if (mode === "relay" && kindOfStore(config, outbox) === "dynamodb")
    fail(["mode"], "no relay of this version publishes from a dynamodb store: use operate, or observe");
  return problems;
}

function kindOfStore(config: Section, { store = "default" }: Section): unknown {
  return sectionOf(sectionOf(config.stores)?.[String(store)])?.kind;
}

function checkStore(config: Section, path: string[], { store = "default" }: Section): ReferenceProblem[] {
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
