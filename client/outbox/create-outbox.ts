import { ClientError, isClientError } from "../errors.ts";
import type { EventRegistry, PayloadIn, TypesOf } from "../events/define-events.ts";
import { requireAdapter, requireOneOf, requireOptions, requireRegistry } from "../require-options.ts";
import { type Adapter, DIALECTS } from "../sql/adapter.ts";
import { GUARDS, type Guard, refuseClosed, requireTransaction } from "../sql/require-transaction.ts";
import { withTableErrors } from "../sql/table-errors.ts";
import { type CancelResult, cancelMessage } from "./cancel-message.ts";
import { type Added, insertMessages } from "./insert-messages.ts";
import { type LayoutOptions, type OutboxLayout, outboxLayout } from "./layout.ts";
import { type AddOptions, type MessageRules, newMessage, requireUuid } from "./new-message.ts";
import { outboxSchema } from "./outbox-schema.ts";
import type { TraceCapture } from "./trace.ts";

export interface OutboxOptions<Tx, Db> extends LayoutOptions {
  via: Adapter<Tx, Db>;
  /** Most bytes of an event with its headers, 256,000 by default: less than what any sink of the relay refuses. */
  maxBytes?: number;
  /** Captures W3C trace context in `add`; see `otel`. */
  trace?: TraceCapture;
  /**
   * `strict` also asks MySQL whether a transaction is open: for development and CI. In Postgres the INSERT itself asks.
   */
  guard?: Guard;
}

/** One event of a list, as the arguments of `add`. */
export type EventEntry<R extends EventRegistry> = {
  [T in TypesOf<R>]: readonly [type: T, payload: PayloadIn<R, T>, options?: AddOptions];
}[TypesOf<R>];

/** The producer's end: writes events in the caller's own transaction. */
export interface Outbox<R extends EventRegistry, Tx, Db> {
  readonly events: R;
  readonly via: Adapter<Tx, Db>;
  readonly layout: OutboxLayout;
  /**
   * Writes one event, or a list in its order, and resolves before the transaction commits. Throws ClientError, with
   * nothing written, for a handle that is not an open transaction, an unknown type, a payload that its schema refuses,
   * and an event that is too large.
   */
  add<T extends TypesOf<R>>(tx: Tx, type: T, payload: PayloadIn<R, T>, options?: AddOptions): Promise<Added>;
  add(tx: Tx, events: readonly EventEntry<R>[]): Promise<Added[]>;
  /** Takes back a delayed event that is not due yet. */
  cancel(tx: Tx, id: string): Promise<CancelResult>;
  /** SQL that creates the recommended layout with its indexes; the console recognises it. */
  schema(dialect?: "postgres" | "mysql"): string;
}

const OPTIONS = ["via", "table", "columns", "lifecycle", "maxBytes", "trace", "guard"];

export function createOutbox<R extends EventRegistry, Tx, Db>(
  events: R,
  options: OutboxOptions<Tx, Db>,
): Outbox<R, Tx, Db> {
  requireAdapter("createOutbox", options);
  requireOptions("createOutbox", options, OPTIONS);
  requireRegistry("createOutbox", events);
  requireOneOf("The option guard of createOutbox", options.guard, GUARDS);
  const { maxBytes = 256_000, trace, guard = "handle" } = options;
  const layout = outboxLayout(options);
  const via = withTableErrors(options.via, {
    table: layout.table,
    columns: layout.columns,
    by: "createOutbox",
    schema: "outbox.schema()",
    grants: "INSERT and SELECT, and UPDATE and DELETE for cancel",
  });
  if (trace && !layout.columns.headers && !layout.columns.traceId)
    throw new ClientError("invalid_input", "trace needs a column for the role headers or traceId.");
  // `> 0` is false for NaN, such as a number of an environment variable that is not set.
  if (!(maxBytes > 0)) throw new ClientError("invalid_input", "maxBytes must be a number above 0.");
  const takesUuids = via.dialect === "postgres" && layout.columns.id?.type === "uuid";
  const rules: MessageRules = { events, layout, maxBytes, trace: trace ?? null, takesUuids };
  type Entry = readonly [string, unknown, AddOptions?];
  const addAll = async (tx: Tx, entries: readonly Entry[], isList = true): Promise<Added[]> => {
    refuseClosed(via, tx);
    requireEntries(entries);
    const place = (index: number) => (isList ? `Event ${index + 1} of ${entries.length}: ` : "");
    const messages = await Promise.all(
      entries.map((entry, index) => newMessage(rules, ...entry).catch(placedAt(place(index)))),
    );
    // The transaction may have ended while the schemas were asked. In Postgres the INSERT itself asks the database.
    if (via.dialect === "postgres") refuseClosed(via, tx);
    else await requireTransaction(via, tx, { table: layout.table, guard });
    return insertMessages({ via, tx, layout }, messages);
  };
  async function add(tx: Tx, first: string | readonly Entry[], payload?: unknown, one?: AddOptions) {
    if (typeof first !== "string") return addAll(tx, first);
    const [added] = await addAll(tx, [[first, payload, one]], false);
    return added;
  }
  return {
    events,
    via,
    layout,
    add: add as Outbox<R, Tx, Db>["add"],
    cancel: async (tx, id) => {
      await requireTransaction(via, tx, { table: layout.table, guard });
      if (typeof id !== "string")
        throw new ClientError("invalid_input", "cancel takes (tx, id), with the id that add has returned.");
      if (takesUuids) requireUuid(id);
      return cancelMessage({ via, tx, layout }, id);
    },
    schema: (dialect = via.dialect) => {
      requireOneOf("The dialect of schema", dialect, DIALECTS);
      return outboxSchema(layout, dialect);
    },
  };
}

/** Rethrows the refusal of an event with its place in the list. */
function placedAt(place: string): (error: unknown) => never {
  return (error) => {
    if (place === "" || !isClientError(error)) throw error;
    throw new ClientError(error.code, place + error.message, { cause: error.cause });
  };
}

/** For code without types. */
function requireEntries(entries: unknown): void {
  if (Array.isArray(entries) && entries.every((entry) => Array.isArray(entry))) return;
  throw new ClientError(
    "invalid_input",
    "add takes one event, (tx, type, payload, options?), or a list of them, (tx, [[type, payload, options?], …]).",
  );
}
