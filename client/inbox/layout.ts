import { ClientError } from "../errors.ts";
import { type Column, type ColumnChoice, type ColumnType, chooseColumns } from "../sql/columns.ts";
import { requireTableName } from "../sql/names.ts";

const TYPES = {
  messageId: "text",
  consumer: "text",
  eventType: "text",
  aggregateType: "text",
  aggregateId: "text",
  sequence: "bigint",
  receivedAt: "timestamptz",
  processedAt: "timestamptz",
  attempts: "integer",
  error: "text",
  parkedAt: "timestamptz",
} as const satisfies Record<string, ColumnType>;

type InboxRole = keyof typeof TYPES;
type InboxColumns = Partial<Record<InboxRole, ColumnChoice>>;

export interface InboxLayout {
  table: string;
  columns: Partial<Record<InboxRole, Column>> & { messageId: Column };
  /** Columns for counting failures; null if every row means "processed". */
  failures: { processedAt: Column; attempts: Column; error: Column; parkedAt: Column } | null;
  /** Columns for the numbers of an aggregate's messages; null without them. */
  numbers: { aggregateType: Column; aggregateId: Column; sequence: Column } | null;
}

const RECOMMENDED: InboxColumns = {
  messageId: "message_id",
  consumer: "consumer",
  eventType: "event_type",
  receivedAt: "received_at",
  processedAt: "processed_at",
  attempts: "attempts",
  error: "last_error",
  parkedAt: "parked_at",
};

const NUMBERS: InboxColumns = { aggregateType: "aggregate_type", aggregateId: "aggregate_id", sequence: "sequence" };

export interface InboxLayoutOptions {
  /** `inbox`, or with its schema: `billing.inbox`. */
  table?: string;
  /**
   * Columns by role. Without them the recommended layout; with them exactly these. `messageId`, with `consumer` where
   * several share the table, must be the primary key. Failures are counted only with processedAt, attempts, error and
   * parkedAt.
   */
  columns?: InboxColumns;
  /**
   * Keeps each message's number within its aggregate, by which `event.order` reports gaps. Adds three columns to the
   * recommended layout; if you set `columns`, name aggregateType, aggregateId and sequence there instead.
   */
  watchOrder?: boolean;
}

export function inboxLayout({ table = "inbox", columns, watchOrder = false }: InboxLayoutOptions): InboxLayout {
  requireTableName(table);
  const recommended = watchOrder ? { ...RECOMMENDED, ...NUMBERS } : RECOMMENDED;
  const chosen = chooseColumns<InboxRole>(columns ?? recommended, TYPES);
  const { messageId, processedAt, attempts, error, parkedAt } = chosen;
  if (!messageId) throw new ClientError("invalid_input", "The inbox needs a column for the role messageId.");
  const failures = processedAt && attempts && error && parkedAt ? { processedAt, attempts, error, parkedAt } : null;
  if (!failures && (attempts || error || parkedAt))
    throw new ClientError(
      "invalid_input",
      "Failures are counted with all of processedAt, attempts, error and parkedAt.",
    );
  const numbers = numbersOf(chosen);
  if (watchOrder && !numbers)
    throw new ClientError(
      "invalid_input",
      "watchOrder needs columns for the roles aggregateType, aggregateId and sequence.",
    );
  return { table, columns: { ...chosen, messageId }, failures, numbers };
}

function numbersOf({ aggregateType, aggregateId, sequence }: Partial<Record<InboxRole, Column>>) {
  if (aggregateType && aggregateId && sequence) return { aggregateType, aggregateId, sequence };
  if (!sequence) return null;
  throw new ClientError(
    "invalid_input",
    "A number counts within its aggregate: sequence needs the roles aggregateType and aggregateId as well.",
  );
}
