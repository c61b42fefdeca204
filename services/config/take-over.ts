import { isDeepStrictEqual } from "node:util";
import { ourCommand } from "#domain/text/our-command.ts";
import type { Config } from "./config-schema.ts";
import type { InboxConfig } from "./inbox-schema.ts";
import type { OutboxConfig } from "./outbox-schema.ts";

export interface TakenOver {
  /** Settings that changed and are in force now, each with its path and, unless they are secrets, its values. */
  settings: string[];
  /** Changes of how tables are read, in the same form: of known and new outboxes, and of `ignoredTables`. */
  mappings: string[];
  /** Paths of changes that take effect only after a restart. */
  needRestart: string[];
}

type Section = Record<string, unknown>;

const CONSOLE = ["allowedHosts", "trustedProxies", "keepItems", "saveMappings"] as const;
const OUTBOX = ["thresholds", "retention", "storage", "corrections"] as const;
const INBOX = ["processWithin", "eventTypes", "keeps", "retention", "ignoredColumns", "words"] as const;

/**
 * Updates a configuration in place from its file, except for settings on which running parts depend: connections,
 * relays, sinks and passwords.
 */
export function takeOver(config: Config, now: Config): TakenOver {
  const taken: TakenOver = { settings: [], mappings: [], needRestart: [] };
  for (const [name, outbox] of Object.entries(now.outboxes)) takeOutbox(config, { name, now: outbox }, taken);
  for (const [name, inbox] of Object.entries(now.inboxes)) takeInbox(config, { name, now: inbox }, taken);
  if (!isDeepStrictEqual(now.ignoredTables, config.ignoredTables)) {
    taken.mappings.push(changeOf("ignoredTables", config.ignoredTables, now.ignoredTables));
    config.ignoredTables = now.ignoredTables;
  }
  take(config, now, { keys: ["environment", "discover"], path: "", taken });
  takeMasking(config, now, taken);
  take(config.console, now.console, { keys: CONSOLE, path: "console.", taken });
  takeAlerts(config, now, taken);
  taken.needRestart.push(...differences(config, now, 2));
  return taken;
}

/** The settings that say how a table is read. */
export function mappingOf({ columns, shape, lifecycle, timeZone }: OutboxConfig) {
  return { columns, shape, lifecycle, timeZone };
}

/** The same table, used in the same way. */
export function isSameTable(one: OutboxConfig, other: OutboxConfig): boolean {
  return one.store === other.store && one.table === other.table && one.mode === other.mode;
}

function takeOutbox(
  { outboxes, stores }: Config,
  { name, now }: { name: string; now: OutboxConfig },
  taken: TakenOver,
) {
  const had = outboxes[name];
  if (!had) {
    if (now.mode !== "observe" || !Object.hasOwn(stores, now.store)) return;
    outboxes[name] = now;
    taken.mappings.push(`outboxes.${name}: new, table ${now.table} in store ${now.store}`);
    return;
  }
  if (!isSameTable(now, had)) return;
  let next = { ...had };
  take(next, now, { keys: OUTBOX, path: `outboxes.${name}.`, taken });
  if (!isDeepStrictEqual(mappingOf(now), mappingOf(had))) {
    const { columns: _, shape: __, lifecycle: ___, timeZone: ____, ...others } = next;
    const { columns, timeZone, shape, lifecycle } = now;
    next = { ...others, columns, timeZone, ...(shape ? { shape } : {}), ...(lifecycle ? { lifecycle } : {}) };
    taken.mappings.push(...mappingChanges(name, had, now));
  }
  // The old object stays unchanged, because other code still holds it.
  if (!isDeepStrictEqual(next, had)) outboxes[name] = next;
}

/** An outbox that is operated or relayed, and whose mapping is recorded, stops until the new one is accepted. */
function mappingChanges(name: string, had: OutboxConfig, now: OutboxConfig): string[] {
  const [one, other]: [Section, Section] = [mappingOf(had), mappingOf(now)];
  const stops =
    now.mode === "observe"
      ? ""
      : ` (if an earlier mapping was recorded, accept this one: ${ourCommand("migrate", `--accept-mapping ${name}`)})`;
  return Object.keys(one)
    .filter((key) => !isDeepStrictEqual(one[key], other[key]))
    .map((key, index, { length }) => {
      const change = changeOf(`outboxes.${name}.${key}`, one[key], other[key]);
      return index === length - 1 ? change + stops : change;
    });
}

function takeInbox({ inboxes }: Config, { name, now }: { name: string; now: InboxConfig }, taken: TakenOver) {
  const had = inboxes[name];
  if (!had || had.store !== now.store || had.table !== now.table) return;
  const next = { ...had };
  take(next, now, { keys: INBOX, path: `inboxes.${name}.`, taken });
  if (!isDeepStrictEqual(next, had)) inboxes[name] = next;
}

/** Addresses and keys of webhooks are secrets, so only their names are recorded. */
function takeAlerts(config: Config, now: Config, taken: TakenOver): void {
  const changed = differences({ alerts: config.alerts }, { alerts: now.alerts }, 3);
  if (changed.length > 0) config.alerts = now.alerts;
  taken.settings.push(...changed);
}

function takeMasking(config: Config, now: Config, taken: TakenOver): void {
  const changed = differences({ masking: config.masking }, { masking: now.masking }, 2);
  if (changed.length === 0) return;
  config.masking = now.masking;
  taken.settings.push(...changed);
}

function take(
  from: Section,
  now: Section,
  { keys, path, taken }: { keys: readonly string[]; path: string; taken: TakenOver },
): void {
  for (const key of keys) {
    if (isDeepStrictEqual(from[key], now[key])) continue;
    taken.settings.push(changeOf(`${path}${key}`, from[key], now[key]));
    if (now[key] === undefined) delete from[key];
    else from[key] = now[key];
  }
}

const changeOf = (path: string, from: unknown, to: unknown) => `${path}: ${textOf(from)} → ${textOf(to)}`;
const textOf = (value: unknown) => JSON.stringify(value) ?? "not set";

/** Paths of the differences, at most so many levels deep. */
function differences(one: unknown, other: unknown, depth: number): string[] {
  if (isDeepStrictEqual(one, other)) return [];
  if (depth === 0 || !isSection(one) || !isSection(other)) return [""];
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].flatMap((key) =>
    differences(one[key], other[key], depth - 1).map((rest) => (rest === "" ? key : `${key}.${rest}`)),
  );
}

function isSection(value: unknown): value is Section {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
