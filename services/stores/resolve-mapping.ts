import type { MappingOverrides } from "#db/shapes/overrides.ts";
import { recogniseOutbox } from "#db/shapes/recognise.ts";
import type { Recognition } from "#db/shapes/recognition.ts";
import type { CatalogTable } from "#db/stores/port/catalog.ts";
import type { ColumnRole, OutboxMapping, PendingWord } from "#db/stores/port/mapping.ts";
import { readingChanges, tableChanges } from "#db/stores/port/mapping-changes.ts";
import { fingerprintOf, type MappingFingerprint } from "#db/stores/port/mapping-fingerprint.ts";
import { columnsOfClaim } from "#db/stores/port/table-rules.ts";
import { ourCommand } from "#domain/text/our-command.ts";
import type { OutboxConfig } from "../config/outbox-schema.ts";
import { type OutboxStop, stopOfChanges, stopOfMode, stopOfRecognition } from "./outbox-stop.ts";

export interface ResolvedMapping {
  mapping: OutboxMapping;
  recognition: Omit<Recognition, "mapping">;
  /** Why nothing is published and no action is taken; null if the outbox may be acted on. */
  stop: OutboxStop | null;
  /** The mapping stored on the store side; null before the first start in operate or relay. */
  accepted: MappingFingerprint | null;
  /** What would be accepted now, or why nothing can be. */
  proposed: MappingFingerprint | OutboxStop;
}

interface Input {
  name: string;
  config: OutboxConfig;
  table: CatalogTable;
  tables: readonly CatalogTable[];
  accepted: MappingFingerprint | null;
}

/**
 * The mapping in use: as recognised and configured now or, once one was accepted, exactly that one while the table fits
 * it. Returns `problem`, a sentence, if the table cannot be mapped.
 */
export function resolveMapping(input: Input): ResolvedMapping | { problem: string } {
  const resolved = resolveMarks(input);
  return "problem" in resolved ? resolved : { ...resolved, mapping: unmarkedByRelay(input.config, resolved.mapping) };
}

/**
 * With `mark: none` our relay marks no row, so a column does not show that one waits. The columns are accepted
 * unchanged.
 */
function unmarkedByRelay({ relay }: OutboxConfig, mapping: OutboxMapping): OutboxMapping {
  const { lifecycle } = mapping;
  if (relay?.source !== "cdc" || relay.cdc.mark !== "none") return mapping;
  if (lifecycle.kind === "delete") return { ...mapping, lifecycle: { kind: "log" } };
  const marked = lifecycle.kind === "timestamp" || lifecycle.kind === "status" || lifecycle.kind === "flag";
  return marked ? { ...mapping, lifecycle: { kind: "log", native: lifecycle } } : mapping;
}

function resolveMarks(input: Input): ResolvedMapping | { problem: string } {
  const { name, config, table, tables, accepted } = input;
  const overrides = overridesOf(config);
  const recognised = untoldByDebezium(config, recogniseOutbox(table, tables, overrides));
  const guarded = config.mode === "observe" || config.debezium ? null : accepted;
  if ("problem" in recognised) {
    const changes = guarded ? tableChanges(guarded, table) : [];
    return changes.length > 0 ? { problem: lackingColumns(name, changes) } : recognised;
  }
  const { mapping, ...recognition } = recognised;
  const refusal = stopOfRecognition({ name, config, mapping, recognition });
  const proposed = refusal ?? fingerprintOf(table, mapping) ?? stopOfChanges(name, ["a column is gone"]);
  const plain = { mapping, recognition, accepted, proposed };
  if (!guarded) {
    const changes = accepted ? tableChanges(accepted, table) : [];
    if (changes.length > 0) recognition.warnings.push(stopOfChanges(name, changes).message);
    return { ...plain, stop: refusal };
  }
  const pinned = pinTo(guarded, { ...input, overrides, recognised });
  const changes = tableChanges(guarded, table);
  if (changes.length === 0 && pinned) changes.push(...readingChanges(guarded, pinned));
  if (changes.length === 0 && !pinned) return { ...plain, stop: refusal };
  if (changes.length > 0 || !pinned) {
    // The meaning of its rows is uncertain until a person decides, so none may show as waiting or published.
    return { ...plain, mapping: { ...mapping, lifecycle: { kind: "unknown" } }, stop: stopOfChanges(name, changes) };
  }
  const unused = unusedColumns(mapping, pinned, guarded);
  const warnings = [...recognition.warnings, ...unused];
  return {
    ...plain,
    mapping: pinned,
    recognition: { ...recognition, question: null, missing: null, warnings },
    stop: stopOfMode({ name, config, mapping: pinned }),
  };
}

/** The mapping cannot be accepted anew before it names columns that are there. */
function lackingColumns(name: string, changes: readonly string[]): string {
  const accept = ourCommand("migrate", `--accept-mapping ${name}`);
  return `${stopOfChanges(name, changes).message} Undo the change, or name the new columns in the outbox's section of outbox.yaml, then run \`${accept}\` and restart console and worker. Until then nothing is published and no action is taken.`;
}

/** Debezium reads the log and marks no row, so even columns that look like marks do not show whether a row was sent. */
function untoldByDebezium<Found extends Recognition | { problem: string }>({ debezium }: OutboxConfig, found: Found) {
  if (!debezium || "problem" in found) return found;
  const where = `the offset of the connector ${debezium.connector} and the log that it reads`;
  const lifecycle = { kind: "untold" as const, owner: "Debezium", where };
  return { ...found, mapping: { ...found.mapping, lifecycle }, question: null, missing: null };
}

/** The configuration as the recogniser takes it. */
export function overridesOf(config: OutboxConfig): MappingOverrides {
  const mark = config.relay?.source === "cdc" ? config.relay.cdc.mark : "column";
  const ofRelay = config.mode === "relay" ? config.relay?.maxAttempts : undefined;
  const deadAttempts = config.deadAttempts ?? ofRelay;
  return {
    columns: config.columns,
    timeZone: config.timeZone,
    ...(config.shape === undefined ? {} : { shape: config.shape }),
    ...(config.lifecycle ? { lifecycle: config.lifecycle } : {}),
    ...(deadAttempts === undefined ? {} : { deadAttempts }),
    ...(config.deadAttempts === undefined ? { limitCounts: true as const } : {}),
    ...(config.mode === "relay" ? { ownRelay: true as const } : {}),
    ...(mark === "column" ? {} : { unmarked: mark === "delete" ? "delete" : "log" }),
  };
}

interface PinInput extends Input {
  overrides: MappingOverrides;
  recognised: Recognition;
}

/**
 * The accepted mapping on the present table: columns added since play no role until configured or accepted. Null if the
 * table or the configuration no longer allows it.
 */
function pinTo(accepted: MappingFingerprint, input: PinInput): OutboxMapping | null {
  const { table, tables, overrides, recognised } = input;
  // A library's rules are pinned as a whole: another library, or none, is a change that a person decides on.
  if (accepted.lifecycle.library !== undefined || isLibrary(recognised.mapping)) return recognised.mapping;
  const pinned = recogniseOutbox(table, tables, pinnedOverrides(accepted, overrides));
  if ("problem" in pinned) return null;
  const { attemptsLimit, claim, errorMark, errorOfFirst, resets = [], ...mapping } = pinned.mapping;
  const wasThere = ({ name }: { name: string }) => accepted.all.includes(name);
  const kept = resets.filter(({ column }) => wasThere(column));
  // Lifecycle `delete` stays accepted only while the configuration states it.
  if (mapping.lifecycle.kind === "delete" && recognised.question !== null) return null;
  const roles = (Object.keys(mapping.columns) as ColumnRole[]).filter(
    (role) => accepted.columns[role] !== undefined || overrides.columns[role] !== undefined,
  );
  const columns = Object.fromEntries(
    roles.flatMap((role) => {
      const column = mapping.columns[role];
      const from = column?.name === overrides.columns[role] ? "config" : "shape";
      return column ? [[role, { ...column, from }]] : [];
    }),
  ) as OutboxMapping["columns"];
  const { lifecycle } = mapping;
  const dead = overrides.lifecycle?.dead;
  return {
    ...mapping,
    ...(attemptsLimit && wasThere(attemptsLimit) ? { attemptsLimit } : {}),
    ...(errorMark && columns.lastError ? { errorMark } : {}),
    ...(errorOfFirst && columns.lastError && columns.availableAt ? { errorOfFirst } : {}),
    ...(claim && columnsOfClaim(claim).every(wasThere) ? { claim } : {}),
    ...(kept.length > 0 ? { resets: kept } : {}),
    columns,
    deadAttempts: columns.attempts ? mapping.deadAttempts : null,
    shape: recognised.mapping.shape,
    lifecycle:
      lifecycle.kind === "status"
        ? {
            ...lifecycle,
            guessed: dead === undefined && table.words[lifecycle.column.name] === undefined,
            ...shownIn(recognised.mapping),
          }
        : lifecycle,
  };
}

function isLibrary({ lifecycle }: OutboxMapping): boolean {
  return lifecycle.kind === "rules" || lifecycle.kind === "untold";
}

/** What the table itself and the configuration show; words of the accepted mapping may have been guessed. */
function shownIn({ lifecycle }: OutboxMapping): { shown?: readonly PendingWord[] } {
  return lifecycle.kind === "status" && lifecycle.shown ? { shown: lifecycle.shown } : {};
}

function pinnedOverrides(accepted: MappingFingerprint, overrides: MappingOverrides): MappingOverrides {
  const names = Object.fromEntries(Object.entries(accepted.columns).map(([role, { name }]) => [role, name]));
  const { kind, words } = accepted.lifecycle;
  const configured = overrides.lifecycle;
  const written = kind === "timestamp" || kind === "flag" || kind === "status";
  const kept = written && (!configured || configured.kind === kind) ? { kind, ...words, ...configured } : configured;
  return { ...overrides, columns: { ...names, ...overrides.columns }, ...(kept ? { lifecycle: kept } : {}) };
}

function unusedColumns(recognised: OutboxMapping, pinned: OutboxMapping, { all }: MappingFingerprint): string[] {
  return Object.entries(recognised.columns).flatMap(([role, column]) =>
    pinned.columns[role as ColumnRole]
      ? []
      : [
          `${column.name} ${all.includes(column.name) ? "had no role in the mapping that was" : "was added after the mapping was"} accepted, so it is not used as ${role}. To use it, name it under columns.`,
        ],
  );
}
