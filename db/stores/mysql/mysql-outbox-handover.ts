import type { HandoverProblem, OutboxHandover, ReaderState, WaitingCounts } from "../port/handover.ts";
import type { OutboxRef } from "../port/outbox-ref.ts";
import { quoteAccount } from "./connection/account.ts";
import { literalOf } from "./connection/literal.ts";
import type { OwnPlace } from "./connection/own-place.ts";
import type { Pool } from "./connection/pool.ts";
import type { Session } from "./connection/session.ts";
import type { StorePools } from "./connection/store-pools.ts";
import { asking } from "./connection/to-store-error.ts";
import { withSession } from "./connection/transaction.ts";
import { mayNotListPrepared } from "./diagnosis-facts/sessions/prepared-names.ts";
import { markSent } from "./handover/mark-sent.ts";
import { offsetOf, openBoundary, positionOf } from "./handover/open-boundary.ts";
import { openDivision } from "./handover/open-division.ts";
import { readPrepared } from "./handover/prepared.ts";
import { waitingSql } from "./handover/waiting-sql.ts";
import { ownName } from "./relay/relay-context.ts";
import type { BinlogProblemCode } from "./replication/binlog-problem.ts";
import { type BinlogCheck, checkBinlog, isLogged } from "./replication/check-binlog.ts";
import { inNewSession } from "./replication/new-session.ts";
import type { LogSettings, ServerLog } from "./replication/server-log.ts";
import { notPublishedPredicate, quoteTable } from "./tables/mapping-sql.ts";

/** The record of the place is read by `reader`. */
const OF_THE_READER: readonly BinlogProblemCode[] = ["reader_missing", "log_lost"];

interface Direct {
  url: string;
  place: OwnPlace;
}

export function createOutboxHandover(pools: StorePools, ref: OutboxRef, { url, place }: Direct): OutboxHandover {
  const of = `outbox ${ref.name}`;
  const { mapping } = ref;
  // A new session has its account's current privileges.
  const apart = <T>(work: (session: Session) => Promise<T>) =>
    asking(of, () => inNewSession({ url, own: place }, work));
  const check = (session: Session, reader: string) =>
    checkBinlog(session, session.own, { reader, schema: mapping.table.schema });
  return {
    keeps: "offset",
    product: () =>
      asking(of, () =>
        withSession(pools.reads(), async ({ server }) => (server.flavor === "mariadb" ? "MariaDB" : "MySQL")),
      ),
    problems: ({ reader }) => apart(async (session) => readProblems(session, place, await check(session, reader))),
    reader: (name) => apart(async (session) => readerOf(await check(session, name))),
    claimed: () => asking(of, () => withSession(pools.writes(), (session) => countClaimed(session, ref))),
    counts: (most) => asking(of, () => countWaiting(pools.writes(), ref, most)),
    openBoundary: (input) => asking(of, () => openBoundary({ ...input, url, place, ref })),
    openDivision: ({ place: stored, most }) => asking(of, () => openDivision({ url, place, ref, stored, most })),
    mark: (request) => asking(of, () => markSent(pools.writes(), ref, request)),
    forget: (name) =>
      apart(async (session) => {
        await session.run(`DELETE FROM ${ownName(session.own.binlogReader)} WHERE reader = ${literalOf(name)}`);
      }),
  };
}

async function readProblems(
  session: Session,
  place: OwnPlace,
  { problems, settings, log }: BinlogCheck,
): Promise<HandoverProblem[]> {
  const found: HandoverProblem[] = problems
    .filter(({ code }) => !OF_THE_READER.includes(code))
    .map(({ message, sql }) => ({ message, sql: sql ?? null }));
  found.push(...compressionProblems(settings));
  if (settings.numbering !== "mysql") found.push(...orderProblems(settings, log, place));
  const forbidden = await readPrepared(session).then(
    () => false,
    (error: unknown) => {
      if (mayNotListPrepared(error)) return true;
      throw error;
    },
  );
  if (forbidden)
    found.push({
      message: `The account ${settings.account} may not list prepared transactions, whose rows the log has before they are committed: it needs XA_RECOVER_ADMIN.`,
      sql: `GRANT XA_RECOVER_ADMIN ON *.* TO ${quoteAccount(settings.account)};`,
    });
  return found;
}

/** Our relay reads compressed events of MariaDB, Debezium's connector does not know them. */
function compressionProblems({ variables }: LogSettings): HandoverProblem[] {
  if (variables.get("log_bin_compress") !== "ON") return [];
  const message =
    "The server's log_bin_compress is ON and must be OFF: Debezium's connector passes over rows that are compressed. What it has passed over is in the table only, and --to-relay would mark it as published: publish that by hand first.";
  const sql = "SET GLOBAL log_bin_compress = OFF; -- and log_bin_compress = OFF in the server's option file";
  return [{ message, sql }];
}

/** Without MySQL's GTIDs, commits are known only from a later transaction of ours in the log. */
function orderProblems({ variables }: LogSettings, log: ServerLog | null, place: OwnPlace): HandoverProblem[] {
  const own = "database" in place ? place.database : null;
  if (variables.get("binlog_order_commits") === "OFF")
    return [
      {
        message:
          "The server's binlog_order_commits is OFF and must be ON: otherwise a position in its log does not say which rows are committed.",
        sql: "SET PERSIST binlog_order_commits = ON;",
      },
    ];
  if (own === null || log === null || isLogged(log, own)) return [];
  const message = `The server does not log the database ${own}: binlog_do_db or binlog_ignore_db leaves it out. Change them in the server's option file and restart it.`;
  return [{ message, sql: null }];
}

function readerOf({ checkpoint, problems }: BinlogCheck): ReaderState | null {
  if (!checkpoint) return null;
  const lost = problems.some(({ code }) => code === "log_lost" || code === "log_off");
  return { position: positionOf(checkpoint), inUse: false, lost, offset: offsetOf(checkpoint) };
}

async function countClaimed(session: Session, { name }: OutboxRef): Promise<number> {
  const [row] = await session.rows(
    `SELECT COALESCE(SUM(JSON_LENGTH(message_ids)), 0) FROM ${ownName(session.own.claim)} WHERE outbox = ${literalOf(name)}`,
  );
  return Number(row?.[0] ?? 0);
}

function countWaiting(pool: Pool, ref: OutboxRef, most: number): Promise<WaitingCounts> {
  return withSession(pool, async (session) => {
    const where = waitingSql(session.own, ref);
    const counted = (condition: string) =>
      `SELECT COUNT(*) FROM (SELECT 1 FROM ${quoteTable(ref.mapping.table)} o WHERE ${condition} LIMIT ${most}) counted`;
    const [waiting, left] = await session.script([
      counted(where),
      counted(`${notPublishedPredicate(ref.mapping, "o")} AND (${where}) IS NOT TRUE`),
    ]);
    return { waiting: Number(waiting?.rows[0]?.[0] ?? 0), left: Number(left?.rows[0]?.[0] ?? 0) };
  });
}
