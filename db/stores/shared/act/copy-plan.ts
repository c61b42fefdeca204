import type { ColumnRole, MappedColumn, OutboxMapping } from "../../port/mapping.ts";
import { holdsText } from "../../port/written-columns.ts";
import { writableWords } from "./writable-words.ts";

/** A column of the team's table, as the catalog has it. */
export interface CopyColumn {
  name: string;
  nullable: boolean;
  /** Computed from other columns: no INSERT may name it. */
  generated: boolean;
  /** The database gives each new row another value, and returns it. */
  counts: boolean;
  /** Has a default. */
  filled: boolean;
  /** Holds uuids, by its type. */
  uuid: boolean;
}

/** What a copy has in a column. `copied`: the original's value. */
export type CopyValue =
  | { kind: "copied" | "default" | "uuid" | "payload" | "headers" | "null" | "empty" | "zero" | "false" }
  /** The current time, in the encoding of the column. */
  | { kind: "now"; column: MappedColumn }
  | { kind: "word"; word: string };

export type CopyPlan = { values: ReadonlyMap<string, CopyValue> } | { no: string };

/**
 * How a corrected copy of a row is written: a new key, the current time, not published, no failures; what the mapping
 * does not know comes from the original. `no`: a sentence, why the console cannot write one.
 */
export function copyPlan(mapping: OutboxMapping, columns: readonly CopyColumn[]): CopyPlan {
  const no = whyNoCopyByMapping(mapping);
  if (no !== null) return { no };
  const values = new Map<string, CopyValue>();
  for (const { name, generated, counts } of columns)
    if (!generated) values.set(name, { kind: counts ? "default" : "copied" });
  const steps = [stateValues, roleValues, orderValue, keyValues];
  for (const step of steps) {
    const refusal = step({ mapping, columns: new Map(columns.map((column) => [column.name, column])), values });
    if (refusal !== null) return { no: refusal };
  }
  return { values };
}

/** Reasons against a copy that are known without the catalog. */
function whyNoCopyByMapping({ lifecycle, primaryKey }: OutboxMapping): string | null {
  if (primaryKey.length === 0) return "The table has no primary key, so no row can be named for certain.";
  switch (lifecycle.kind) {
    case "rules":
      return `Nothing known here says how ${lifecycle.reading === undefined ? lifecycle.owner : "the program that owns this table"} writes a new row: a copy could be incomplete.`;
    case "log":
    case "untold":
    case "unknown":
      return "No row of this table says whether it was published, so a copy could not be told from one that was.";
    default:
      return null;
  }
}

interface Planning {
  mapping: OutboxMapping;
  columns: ReadonlyMap<string, CopyColumn>;
  values: Map<string, CopyValue>;
}

/** The copy is pending. */
function stateValues({ mapping: { lifecycle }, columns, values }: Planning): string | null {
  if (lifecycle.kind === "timestamp") {
    if (!columns.get(lifecycle.column.name)?.nullable) return `${lifecycle.column.name} cannot be null.`;
    values.set(lifecycle.column.name, { kind: "null" });
  }
  if (lifecycle.kind === "flag") values.set(lifecycle.column.name, { kind: "false" });
  if (lifecycle.kind !== "status") return null;
  const [word] = writableWords(lifecycle, "pending");
  if (word === undefined)
    return `Nothing shows which word of ${lifecycle.column.name} means pending. Name it under lifecycle.pending in outbox.yaml.`;
  if (word === null && !columns.get(lifecycle.column.name)?.nullable) return `${lifecycle.column.name} cannot be null.`;
  values.set(lifecycle.column.name, word === null ? { kind: "null" } : { kind: "word", word });
  return null;
}

/** Content as typed; no attempts, errors and locks of the original. */
function roleValues({ mapping: { columns: roles }, columns, values }: Planning): string | null {
  const set = (role: ColumnRole, value: (column: MappedColumn, known: CopyColumn) => CopyValue) => {
    const column = roles[role];
    const known = column && columns.get(column.name);
    const isOpen = column !== undefined && values.get(column.name)?.kind === "copied";
    if (known && isOpen) values.set(column.name, value(column, known));
  };
  const cleared = ({ emptyAtFirst, atFirst }: MappedColumn, { nullable, filled }: CopyColumn): CopyValue => ({
    kind: nullable && !emptyAtFirst && atFirst === undefined ? "null" : filled ? "default" : "copied",
  });
  set("payload", () => ({ kind: "payload" }));
  set("headers", () => ({ kind: "headers" }));
  set("attempts", () => ({ kind: "zero" }));
  set("lastError", (column, known) =>
    holdsText(column) && !known.nullable ? { kind: "empty" } : cleared(column, known),
  );
  set("availableAt", (column) => (column.nullIsDue ? { kind: "null" } : { kind: "now", column }));
  for (const role of ["publishedAt", "lockedUntil", "lockedBy"] as const) set(role, cleared);
  set("createdAt", (column) => ({ kind: "now", column }));
  return null;
}

/** The copy is the last of its aggregate. */
function orderValue({ mapping: { columns: roles }, columns, values }: Planning): string | null {
  const { order, createdAt } = roles;
  const known = order && columns.get(order.name);
  if (!order || !known)
    return createdAt ? null : "No column says when a row was created: a copy would have no place in the order.";
  if (order.name === createdAt?.name || known.generated) return null;
  if (known.uuid && !known.counts)
    return `The order column ${order.name} is a uuid that only the team's own program makes.`;
  if (known.counts || known.filled) values.set(order.name, { kind: "default" });
  else if (order.time) values.set(order.name, { kind: "now", column: order });
  else return `The order column ${order.name} has no default: only the team's own program knows the next value.`;
  return null;
}

/** Every copy is a new message, with a new key and a new event id. */
function keyValues({ mapping, columns, values }: Planning): string | null {
  const { columns: roles, primaryKey } = mapping;
  let fresh = false;
  for (const { name } of primaryKey) {
    const value = newValue(columns.get(name));
    if (value) values.set(name, value);
    fresh ||= value !== null;
  }
  if (!fresh) return noNewValue(primaryKey.map(({ name, type }) => `${name} (${type})`).join(", "));
  if (primaryKey.some(({ name }) => name === roles.id.name)) return null;
  const value = newValue(columns.get(roles.id.name));
  if (value === null) return noNewValue(`${roles.id.name} (${roles.id.type})`);
  values.set(roles.id.name, value);
  return null;
}

function newValue(column: CopyColumn | undefined): CopyValue | null {
  if (column?.counts) return { kind: "default" };
  return column?.uuid ? { kind: "uuid" } : null;
}

function noNewValue(what: string): string {
  return `The console cannot make a new value of ${what}: the database does not give one, and it is no uuid.`;
}
