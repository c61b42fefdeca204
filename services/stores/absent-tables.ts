import { StoreError, type StoreTrouble } from "#db/stores/port/store-error.ts";
import { formatInstant } from "#domain/diagnosis/phrases.ts";
import { AppError } from "#domain/errors.ts";
import { MODES, type Mode } from "#domain/operator.ts";
import type { Config } from "../config/config-schema.ts";
import type { StoreProblem, StoreTables } from "./handles.ts";
import type { KnownTable } from "./known-tables.ts";

/** An outbox or inbox that is configured or was seen before, and cannot be read now. */
export interface AbsentTable {
  kind: "outbox" | "inbox";
  name: string;
  store: string;
  /** `schema.table`, or as written in the configuration. */
  table: string;
  mode: Mode;
  configured: boolean;
  /** Since when it is missing; null if unknown. */
  since: string | null;
  message: string;
  /** Of the whole store; null if it answers. */
  trouble: StoreTrouble | null;
  /** Its key if it may be forgotten: not configured, and its database answers without it. Otherwise null. */
  forgettable: KnownTable | null;
}

interface AbsentInput {
  config: Config;
  store: string;
  tables: StoreTables;
  known: readonly KnownTable[];
}

/** The configured or known tables of one store that are missing. Pure. */
export function absentTables({ config, store, tables, known }: AbsentInput): AbsentTable[] {
  const silent = tables.problems.find((problem) => problem.name === null);
  const trouble = silent?.trouble ?? null;
  const here = known.filter((entry) => entry.store === store);
  const there = { outbox: new Set(tables.outboxes.map(nameOf)), inbox: new Set(tables.inboxes.map(nameOf)) };
  const configured = [
    ...Object.entries(config.outboxes).map(([name, { mode, ...entry }]) => ({
      kind: "outbox" as const,
      name,
      mode,
      ...entry,
    })),
    ...Object.entries(config.inboxes).map(([name, entry]) => ({
      kind: "inbox" as const,
      name,
      mode: "observe" as const,
      ...entry,
    })),
  ].filter((entry) => entry.store === store && !there[entry.kind].has(entry.name));
  return [
    ...configured.map(({ kind, name, mode, table }) => {
      const seen = here.find((entry) => entry.configured && entry.kind === kind && entry.name === name);
      const message = silent?.message ?? problemOf(tables.problems, name) ?? "It was not found.";
      return {
        ...{ kind, name, store, table, mode, configured: true, forgettable: null, trouble },
        since: silent ? null : (seen?.missingSince ?? null),
        message:
          seen?.missingSince && !silent
            ? `${message} The ${kind} could still be used at ${formatInstant(seen.lastSeenAt)}.`
            : message,
      };
    }),
    ...here
      .filter((entry) => !entry.configured && !there[entry.kind].has(entry.name))
      // Since configured under another name, which reports the problem.
      .filter((entry) => !configured.some((one) => one.kind === entry.kind && isTable(one.table, entry)))
      .map((entry) => ({
        ...{ kind: entry.kind, name: entry.name, store, table: `${entry.schema}.${entry.table}`, configured: false },
        mode: MODES.find((mode) => mode === entry.mode) ?? "observe",
        since: silent ? null : entry.missingSince,
        trouble,
        message: silent?.message ?? goneMessage(entry, tables),
        forgettable: silent ? null : entry,
      })),
  ];
}

/** As a question about the table is answered. */
export function errorOfProblem({ message, trouble }: Pick<StoreProblem, "message" | "trouble">): AppError {
  return trouble ? new StoreError(trouble, "unavailable", message, {}) : new AppError("unavailable", message);
}

/** True if the configuration's spelling names this table. */
function isTable(spelling: string, { schema, table }: KnownTable): boolean {
  const plain = spelling.replaceAll('"', "");
  return plain === `${schema}.${table}` || (schema === "public" && plain === table);
}

function nameOf({ name }: { name: string }): string {
  return name;
}

function problemOf(problems: readonly StoreProblem[], name: string): string | undefined {
  return problems.find((problem) => problem.name === name)?.message;
}

function goneMessage(entry: KnownTable, { inCatalog, problems }: StoreTables): string {
  const table = `${entry.schema}.${entry.table}`;
  const problem = problemOf(problems, entry.name);
  const what = inCatalog.has(table)
    ? (problem ?? `The columns of ${table} changed, and it is no longer recognised as an ${entry.kind}.`)
    : `The table ${table} of ${entry.kind} ${entry.name} is gone from store ${entry.store}, or its user may not see it.`;
  const since = entry.missingSince ? ` Noticed at ${formatInstant(entry.missingSince)}.` : "";
  return `${what}${since} Map it in outbox.yaml, or forget it in Settings.`;
}
