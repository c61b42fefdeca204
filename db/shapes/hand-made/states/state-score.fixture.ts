import type { CatalogTable } from "../../../stores/port/catalog.ts";
import type { MappedColumn } from "../../../stores/port/mapping.ts";
import { decodeMessageId } from "../../../stores/port/message-id.ts";
import type { Store } from "../../../stores/port/store.ts";
import { candidates, leftAlone } from "../../candidates.ts";
import { recogniseInbox } from "../../inbox/recognise-inbox.ts";
import { looksLikeOutbox, recogniseOutbox } from "../../recognise.ts";
import type { StatedTable } from "./stated-table.ts";

/** Sentences by what they are about; `right` counts. */
export interface StatedScore {
  tables: { recognised: number; asked: string[]; missed: string[]; leftAlone: string[] };
  roles: { right: number; missing: string[]; wrong: string[] };
  states: { right: number; unknown: string[]; wrong: string[] };
}

export const emptyScore = (): StatedScore => ({
  tables: { recognised: 0, asked: [], missed: [], leftAlone: [] },
  roles: { right: 0, missing: [], wrong: [] },
  states: { right: 0, unknown: [], wrong: [] },
});

interface Scored {
  truth: StatedTable;
  table: CatalogTable;
  tables: readonly CatalogTable[];
  store: Store;
  score: StatedScore;
}

/** Adds what an outbox's recogniser says about one table, and the states that its reader shows. */
export async function scoreOutbox({ truth, table, tables, store, score }: Scored): Promise<void> {
  const found = !recogniseInbox(table) && looksLikeOutbox(table) ? recogniseOutbox(table, tables) : null;
  if (!found || "problem" in found) return notRecognised(table, score);
  score.tables.recognised += 1;
  addRoles(namesOf(found.mapping.columns), truth, table, score);
  const ref = { name: "orders", mapping: found.mapping, storeSide: false, maxAttempts: null, estimatedRows: -1 };
  const { rows } = await store.outbox(ref).read.list({ filter: { state: "all" }, limit: 50 });
  const key = found.mapping.primaryKey.length;
  const shown = rows.map(({ id, state }) => [decodeMessageId(id, key)[0] ?? id, state] as const);
  addStates(shown, truth, table.name, score);
}

/**
 * The same for an inbox, whose `processed`, `unprocessed` and `failed` are the truth's published, pending and failed.
 */
export async function scoreInbox({ truth, table, store, score }: Scored): Promise<void> {
  const mapping = recogniseInbox(table);
  if (!mapping) return notRecognised(table, score);
  score.tables.recognised += 1;
  const columns = Object.entries(mapping).filter((entry): entry is [string, MappedColumn] => isColumn(entry[1]));
  const { mark } = mapping;
  const role = mark.kind === "flag" ? "processed" : "status";
  const marks: Record<string, MappedColumn> =
    mark.kind === "flag" || mark.kind === "status" ? { [role]: mark.column } : {};
  addRoles(namesOf({ ...Object.fromEntries(columns), ...marks }), truth, table, score);
  const { rows } = await store.inbox("orders", mapping).list({ filter: { state: "all" }, limit: 50 });
  const states = { processed: "published", unprocessed: "pending", failed: "failed", received: "unknown" } as const;
  addStates(
    rows.map(({ messageId, state }) => [messageId ?? "", states[state]] as const),
    truth,
    table.name,
    score,
  );
}

function notRecognised(table: CatalogTable, { tables }: StatedScore): void {
  const [candidate] = candidates([table]);
  if (candidate) tables.asked.push(`${table.name}: ${candidate.question}`);
  else (leftAlone([table]).length > 0 ? tables.leftAlone : tables.missed).push(table.name);
}

function namesOf(columns: Readonly<Record<string, MappedColumn>>): Record<string, string> {
  return Object.fromEntries(Object.entries(columns).map(([role, { name }]) => [role, name]));
}

function isColumn(value: unknown): boolean {
  return value !== null && typeof value === "object" && "from" in value;
}

function addRoles(
  found: Record<string, string>,
  { roles: truth, optional }: StatedTable,
  { name }: CatalogTable,
  { roles }: StatedScore,
): void {
  for (const [role, column] of Object.entries(truth)) {
    if (found[role] === column) roles.right += 1;
    else if (found[role] === undefined) roles.missing.push(`${name}.${role} is ${column}`);
  }
  for (const [role, column] of Object.entries(found)) {
    if (truth[role] !== column && optional[role] !== column) roles.wrong.push(`${name}.${role} is not ${column}`);
  }
}

function addStates(
  shown: readonly (readonly [string, string])[],
  { states: truth }: StatedTable,
  name: string,
  { states }: StatedScore,
): void {
  for (const [id, right] of Object.entries(truth)) {
    const state = shown.find(([key]) => key === id || key.trim() === id)?.[1] ?? "nowhere";
    if (right.some((one) => one === state)) states.right += 1;
    else
      (state === "unknown" ? states.unknown : states.wrong).push(
        `${name} ${id} is ${right.join(" or ")}, not ${state}`,
      );
  }
}
