import { ClientError } from "../errors.ts";
import { requireOneOf } from "../require-options.ts";
import { type Column, type ColumnChoice, type ColumnType, chooseColumns } from "../sql/columns.ts";
import { requireTableName } from "../sql/names.ts";

/** The roles of `outbox.yaml` that a producer has a value for; the others are left to the table's defaults. */
const TYPES = {
  id: "uuid",
  payload: "jsonb",
  aggregateType: "text",
  aggregateId: "text",
  eventType: "text",
  topic: "text",
  headers: "jsonb",
  createdAt: "timestamptz",
  publishedAt: "timestamptz",
  availableAt: "timestamptz",
  status: "text",
  attempts: "integer",
  traceId: "text",
} as const satisfies Record<string, ColumnType>;

export type OutboxRole = keyof typeof TYPES;

export type OutboxColumns = Partial<Record<OutboxRole, ColumnChoice>>;

/**
 * As in `outbox.yaml`: the first of `pending` is written, and a message whose status is not among them is not cancelled.
 * Null is a row without a status.
 */
interface StatusWords {
  kind: "status";
  pending: readonly [string | null, ...(string | null)[]];
}

export interface OutboxLayout {
  table: string;
  columns: Partial<Record<OutboxRole, Column>> & { payload: Column };
  lifecycle: StatusWords | null;
}

/** The recommended layout, which `outbox.schema()` prints and the console recognises without configuration. */
const RECOMMENDED: OutboxColumns = {
  id: "id",
  aggregateType: "aggregate_type",
  aggregateId: "aggregate_id",
  eventType: "event_type",
  payload: "payload",
  headers: "headers",
  createdAt: "created_at",
  availableAt: "available_at",
  publishedAt: "published_at",
};

export interface LayoutOptions {
  /** `outbox`, or with its schema: `shop.outbox`. */
  table?: string;
  /** Columns by role, as in `outbox.yaml`. Without them the recommended layout; with them exactly these. */
  columns?: OutboxColumns;
  lifecycle?: StatusWords;
}

export function outboxLayout({ table = "outbox", columns, lifecycle }: LayoutOptions): OutboxLayout {
  requireTableName(table);
  const chosen = chooseColumns<OutboxRole>(columns ?? RECOMMENDED, TYPES);
  const { payload, eventType, status } = chosen;
  if (!payload) throw new ClientError("invalid_input", "The outbox needs a column for the payload.");
  if (!eventType) throw new ClientError("invalid_input", "The outbox needs a column for the event type.");
  if (status && !lifecycle)
    throw new ClientError("invalid_input", `Say which word of ${status.name} means pending: lifecycle.pending.`);
  if (lifecycle) requireWords(lifecycle);
  return { table, columns: { ...chosen, payload }, lifecycle: lifecycle ?? null };
}

/** For code without types: of a text in place of a list the first letter would be written. */
function requireWords({ kind, pending }: StatusWords): void {
  requireOneOf("The kind of the lifecycle", kind, ["status"]);
  const isWord = (word: unknown) => word === null || (typeof word === "string" && word !== "");
  if (Array.isArray(pending) && pending.length > 0 && pending.every(isWord)) return;
  throw new ClientError("invalid_input", 'lifecycle.pending is no list of words, such as ["PENDING"] or [null].');
}
