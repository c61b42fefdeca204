import { ClientError } from "../errors.ts";
import type { EventRegistry } from "../events/define-events.ts";
import type { ReceivedMessage } from "../messages/received-message.ts";
import { requireAdapter, requireOneOf, requireOptions, requireRegistry } from "../require-options.ts";
import { type Adapter, DIALECTS, type Dialect } from "../sql/adapter.ts";
import { isOutage, isTransient } from "../sql/database-errors.ts";
import { inSavepoint } from "../sql/in-savepoint.ts";
import { oneAtATime } from "../sql/one-at-a-time.ts";
import { GUARDS, type Guard, refuseClosed, requireTransaction } from "../sql/require-transaction.ts";
import { sql } from "../sql/statement.ts";
import { withTableErrors } from "../sql/table-errors.ts";
import { errorText } from "./error-text.ts";
import { askForTurn, receive } from "./in-progress.ts";
import { inboxSchema } from "./inbox-schema.ts";
import { type InboxLayout, type InboxLayoutOptions, inboxLayout } from "./layout.ts";
import { type InboxTable, type MessageKey, markProcessed, readMarkTime } from "./mark.ts";
import { messageKey } from "./message-key.ts";
import { type ReceivedEvent, readEvent } from "./read-event.ts";
import { type MessageOrder, ofCallersView, readOrder } from "./read-order.ts";
import { recordFailure } from "./record-failure.ts";
import { releaseMessage } from "./release-message.ts";
import { MOST_CHARACTERS, requireId } from "./require-id.ts";
import { revokeMark } from "./revoke-mark.ts";

export type Concurrent = "wait" | "skip";

export interface InboxOptions<Tx, Db, C extends Concurrent = "wait"> extends InboxLayoutOptions {
  via: Adapter<Tx, Db>;
  /** Name of this consumer: each has its own marks. */
  consumer: string;
  /** Failed deliveries after which a message is parked; 10 by default. */
  maxAttempts?: number;
  /** Treatment of a type that the registry lacks; `refuse` by default. */
  unknownTypes?: "refuse" | "skip";
  /**
   * Behaviour of a delivery while another of the same message is in progress: `wait` for its end, the default, or
   * `skip`, which gives the outcome `in_progress`. All instances of a consumer need the same setting: `skip` does not
   * see those that wait.
   */
  concurrent?: C;
  guard?: Guard;
}

/**
 * `processed`: the work's effects and the mark are committed (`onceIn`: will be, with the caller's transaction).
 * `duplicate`: an earlier delivery was processed. `parked`: it failed too often, now or before, and stays until it is
 * released. Acknowledge the message in all four cases; where `once` rejects, let it be delivered again.
 */
export type OnceResult<T, C extends Concurrent = "wait"> = Ended<T> | (C extends "skip" ? InProgress : never);

type Ended<T> =
  | { outcome: "processed"; duplicate: false; result: T }
  | { outcome: "duplicate"; duplicate: true; result?: undefined }
  | { outcome: "parked"; duplicate: false; result?: undefined }
  | { outcome: "skipped"; duplicate: false; result?: undefined };

/**
 * Another delivery of the message is in progress and may still fail. Nothing was done or counted. Do NOT acknowledge:
 * reject it, or let it time out, so that it is delivered again.
 */
export type InProgress = { outcome: "in_progress"; duplicate: false; result?: undefined };

type Work<R extends EventRegistry, Tx, T> = (tx: Tx, event: ReceivedEvent<R>) => Promise<T>;
type Process<Tx, T> = (tx: Tx, order: MessageOrder, markedAt: string | null) => Promise<T>;

/** The consumer's end: the effect of a message and the mark that it was processed commit together. */
export interface Inbox<R extends EventRegistry, Tx, Db, C extends Concurrent = "wait"> {
  readonly events: R;
  readonly via: Adapter<Tx, Db>;
  readonly layout: InboxLayout;
  readonly consumer: string;
  /**
   * Runs `work` in a new transaction, at most once with effect. Rejects with the error of `work` after counting the
   * failure, also if a service did not answer it. Does not count failures before the payload is checked, a lost
   * connection of the transaction, deadlocks and serialization failures.
   */
  once<T>(db: Db, message: ReceivedMessage, work: Work<R, Tx, T>): Promise<OnceResult<T, C>>;
  /**
   * The same in the caller's transaction. If `work` fails, mark and effects are undone to where it began, and the error
   * is thrown; failures are not counted, because that needs a separate transaction. For the same reason it always waits
   * in MySQL, also with `concurrent: skip`.
   */
  onceIn<T>(tx: Tx, message: ReceivedMessage, work: Work<R, Tx, T>): Promise<OnceResult<T, C>>;
  /** Lets a parked message be processed at its next delivery, with its count at 0. False if it was not parked. */
  release(db: Db, id: string): Promise<boolean>;
  /** SQL that creates the recommended layout; the console recognises it. */
  schema(dialect?: "postgres" | "mysql"): string;
}

const OPTIONS = [
  ...["via", "consumer", "table", "columns", "watchOrder"],
  ...["maxAttempts", "unknownTypes", "concurrent", "guard"],
];

export function createInbox<R extends EventRegistry, Tx, Db, C extends Concurrent = "wait">(
  events: R,
  options: InboxOptions<Tx, Db, C>,
): Inbox<R, Tx, Db, C> {
  requireAdapter("createInbox", options);
  requireOptions("createInbox", options, OPTIONS);
  requireRegistry("createInbox", events);
  const { consumer, maxAttempts = 10, unknownTypes = "refuse", guard = "handle" } = options;
  requireConsumer(consumer, maxAttempts);
  const layout = inboxLayout(options);
  const via = withTableErrors(options.via, {
    table: layout.table,
    columns: layout.columns,
    by: "createInbox",
    schema: "inbox.schema()",
    grants: "SELECT, INSERT and UPDATE",
  });
  requireSound(options, layout);
  const table: InboxTable<Tx, Db> = { via, layout, consumer };
  const skipsOthers = options.concurrent === "skip";
  const takesUuids = via.dialect === "postgres" && layout.columns.messageId.type === "uuid";
  const makesRowFirst = skipsOthers && via.dialect === "mysql";
  const skips = ({ type }: ReceivedMessage) => unknownTypes === "skip" && type !== null && !events.has(type);

  const keyOf = (message: ReceivedMessage) => messageKey(events, message, via.dialect);

  const inTransaction = <T>(tx: Tx, key: MessageKey, process: Process<Tx, T>) =>
    processOnce(table, tx, { key, process });

  /** Only with `skip` can the result be that another delivery is in progress. */
  const inTurn = async <T>(tx: Tx, key: MessageKey, process: Process<Tx, T>): Promise<OnceResult<T, C>> => {
    const turn = skipsOthers ? await askForTurn(table, tx, key) : "free";
    if (turn === "duplicate") return { outcome: "duplicate", duplicate: true };
    if (turn === "in_progress") return { outcome: "in_progress", duplicate: false } as OnceResult<T, C>;
    return inTransaction(tx, key, process);
  };

  return {
    events,
    via,
    layout,
    consumer,
    once: async (db, message, work) => {
      requireId(message, takesUuids);
      requireWork(work);
      requireRoot(via, db);
      if (skips(message)) return { outcome: "skipped", duplicate: false };
      const key = keyOf(message);
      let begun = false;
      let outageOfAnother = false;
      let failedMark: string | null = null;
      const process = async (tx: Tx, order: MessageOrder, markedAt: string | null) => {
        begun = true;
        try {
          return await work(tx, await readEvent(events, message, order));
        } catch (error) {
          failedMark = markedAt;
          outageOfAnother = isOutage(error) && (await isConnected(via, tx));
          throw error;
        }
      };
      try {
        if (makesRowFirst) await receive(table, db, key);
        return await via.transaction(db, (tx) => inTurn(tx, key, process));
      } catch (error) {
        if (failedMark !== null)
          await orBoth(
            error,
            "its mark, which is committed, could not be taken back",
            revokeMark(table, db, { key, markedAt: failedMark }),
          );
        // Earlier failures, such as a pool without a free connection, are not the message's fault.
        if (!begun || (isTransient(error) && !outageOfAnother)) throw error;
        const failure = await orBoth(
          error,
          "the failure could not be counted",
          recordFailure(table, db, { key, error, maxAttempts }),
        );
        if (failure?.parked) return { outcome: "parked", duplicate: false };
        throw error;
      }
    },
    onceIn: async (tx, message, work) => {
      requireId(message, takesUuids);
      requireWork(work);
      if (skips(message)) return { outcome: "skipped", duplicate: false };
      return alone(via, tx, async () => {
        // After a deadlock that the caller swallowed, a mark in MySQL would be committed at once, even if the work
        // fails.
        await requireTransaction(via, tx, { table: layout.table, guard: via.dialect === "mysql" ? "strict" : guard });
        const process = async (inner: Tx, order: MessageOrder) =>
          work(inner, await readEvent(events, message, await ofCallersView(via, inner, order)));
        // If the caller catches the error and commits, the mark must not be committed without the effect.
        const processOrSkip = makesRowFirst ? inTransaction : inTurn;
        return inSavepoint(via, tx, (inner) => processOrSkip(inner, keyOf(message), process));
      });
    },
    release: async (db, id) => {
      requireRoot(via, db);
      return releaseMessage(table, db, id);
    },
    schema: (dialect = via.dialect) => {
      requireOneOf("The dialect of schema", dialect, DIALECTS);
      return inboxSchema(layout, dialect);
    },
  };
}

/** After another `onceIn` that is in progress in the transaction. */
async function alone<Tx, Db, T>(via: Adapter<Tx, Db>, tx: Tx, work: () => Promise<T>): Promise<T> {
  refuseClosed(via, tx);
  return oneAtATime(tx as object, work);
}

async function processOnce<Tx, Db, T>(
  table: InboxTable<Tx, Db>,
  tx: Tx,
  { key, process }: { key: MessageKey; process: Process<Tx, T> },
): Promise<Ended<T>> {
  const mark = await markProcessed(table, tx, key);
  if (mark.state === "duplicate") return { outcome: "duplicate", duplicate: true };
  if (mark.state === "parked") return { outcome: "parked", duplicate: false };
  const result = await process(tx, await readOrder(table, tx, key), mark.markedAt);
  const found = await readMarkTime(table, tx, key);
  if (found === null || found !== mark.markedAt) throw rolledBackMeanwhile(table.via.dialect);
  return { outcome: "processed", duplicate: false, result };
}

/** With both errors where what follows a failure fails too. */
async function orBoth<T>(first: unknown, what: string, following: Promise<T>): Promise<T> {
  return following.catch((second) => {
    throw new AggregateError([first, second], `The work failed, and ${what}: ${errorText(second, 500)}`);
  });
}

function requireConsumer(consumer: unknown, maxAttempts: number): void {
  if (typeof consumer !== "string" || consumer === "" || consumer.length > MOST_CHARACTERS)
    throw new ClientError(
      "invalid_input",
      `The inbox needs the consumer's name, of at most ${MOST_CHARACTERS} characters.`,
    );
  if (!Number.isSafeInteger(maxAttempts) || maxAttempts < 1)
    throw new ClientError("invalid_input", "maxAttempts must be a whole number from 1.");
}

function requireWork(work: unknown): void {
  if (typeof work === "function") return;
  throw new ClientError("invalid_input", "The last argument must be a function: async (tx, event) => …");
}

/** Refuses an open transaction: counted failures and commits would depend on the caller's transaction. */
function requireRoot<Tx, Db>(via: Adapter<Tx, Db>, db: Db): void {
  const advice = "In a transaction of yours use onceIn.";
  if (!via.isAmbient && via.stateOf(db).open === true)
    throw new ClientError(
      "invalid_input",
      `This ${via.name} handle is a transaction, and one is begun here: pass the pool or db that begins it. ${advice}`,
    );
  const begin: unknown =
    via.begins === undefined ? () => undefined : (db as Record<string, unknown> | null)?.[via.begins];
  if (typeof begin !== "function")
    throw new ClientError(
      "invalid_input",
      `This is no handle of ${via.name} that begins a transaction: it has no ${via.begins}(). ${advice}`,
    );
}

/**
 * False if the transaction's connection is lost; a connection whose transaction has failed answers with another error.
 */
async function isConnected<Tx, Db>(via: Adapter<Tx, Db>, tx: Tx): Promise<boolean> {
  return via.run(tx, sql`SELECT 1 AS answer`).then(
    () => true,
    (error) => !isOutage(error),
  );
}

/** MySQL ends a transaction at a deadlock, and most libraries' connections then commit each statement on its own. */
function rolledBackMeanwhile(dialect: Dialect): Error {
  const what = "The transaction was rolled back while the work ran, and the work went on";
  return new Error(
    dialect === "mysql"
      ? `${what}: what it wrote after that may be committed, without a mark. Let the work throw the errors of its statements.`
      : `${what}: nothing is committed.`,
  );
}

function requireSound<Tx, Db>(
  { via, unknownTypes, concurrent, guard }: InboxOptions<Tx, Db, Concurrent>,
  { table, failures, numbers }: InboxLayout,
): void {
  requireOneOf("The option guard of createInbox", guard, GUARDS);
  requireOneOf("The option unknownTypes of createInbox", unknownTypes, ["refuse", "skip"]);
  requireOneOf("The option concurrent of createInbox", concurrent, ["wait", "skip"]);
  if (concurrent === "skip" && via.dialect === "mysql" && !failures)
    throw new ClientError(
      "invalid_input",
      `concurrent: "skip" over MySQL needs rows that are not processed yet, and in ${table} each row means processed.`,
    );
  if (unknownTypes === "skip" && numbers)
    throw new ClientError(
      "invalid_input",
      'A skipped message leaves no row, so its number would look missing: use watchOrder without unknownTypes: "skip".',
    );
}
