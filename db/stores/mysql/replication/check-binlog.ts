import type { StreamStatus } from "../../port/relay/relay-stream.ts";
import { quoteAccount } from "../connection/account.ts";
import { isForbidden } from "../connection/database-error.ts";
import { literalOf } from "../connection/literal.ts";
import type { OwnTables, Session } from "../connection/session.ts";
import { ownName } from "../relay/relay-context.ts";
import { type BinlogPlace, fileNumber, positionOf } from "./binlog-place.ts";
import { type BinlogProblem, binlogProblem } from "./binlog-problem.ts";
import { type Checkpoint, createReaderSql, readCheckpoint, resetReaderSql } from "./checkpoint.ts";
import { hasMariadbGtids } from "./gtid-set.ts";
import { type LogSettings, maySendLog, readServerLog, readSettings, type ServerLog } from "./server-log.ts";

export interface BinlogNames {
  reader: string;
  /** The database of the outbox table. */
  schema: string;
}

export interface BinlogCheck {
  /** Worst first; empty if the log can be read. */
  problems: BinlogProblem[];
  settings: LogSettings;
  log: ServerLog | null;
  checkpoint: Checkpoint | null;
}

type Asked = Pick<Session, "rows" | "script" | "server">;

/** Checks whether a relay can read the log from its checkpoint on. Changes nothing. */
export async function checkBinlog(session: Asked, own: OwnTables, names: BinlogNames): Promise<BinlogCheck> {
  const settings = await readSettings(session);
  const checkpoint = await readCheckpoint(session, own, names.reader);
  const problems = settingsProblems(settings, session.server.flavor);
  const result = { settings, checkpoint, log: null };
  if (settings.variables.get("log_bin") !== "ON") return { ...result, problems };
  const log = await asPermitted(async () => {
    if (!(await maySendLog(session))) return null;
    return readServerLog(session, settings);
  });
  if (log === null) return { ...result, problems: [...problems, notPermitted(settings)] };
  problems.push(...filterProblems(log, names));
  const place = checkpoint
    ? await placeProblem(session, { own, names, settings, log, checkpoint })
    : missingReader({ own, names, settings, log });
  return { settings, checkpoint, log, problems: place ? [...problems, place] : problems };
}

async function asPermitted<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (isForbidden(error)) return null;
    throw error;
  }
}

/** What each setting must be, and why. */
const REQUIRED: readonly { name: string; value: string; why: string }[] = [
  { name: "binlog_format", value: "ROW", why: "otherwise the log has statements in place of rows" },
  { name: "binlog_row_image", value: "FULL", why: "otherwise rows lack columns" },
  {
    name: "binlog_row_metadata",
    value: "FULL",
    why: "otherwise the log does not name the columns, and values would land under wrong names after an ALTER TABLE",
  },
];

function settingsProblems({ variables }: LogSettings, flavor: "mysql" | "mariadb"): BinlogProblem[] {
  if (variables.get("log_bin") !== "ON") {
    const message = "The server writes no binary log: log_bin is OFF. Turn it on and restart the server.";
    return [
      binlogProblem("log_off", message, "-- in the server's option file, then restart:\n[mysqld]\nlog_bin = binlog"),
    ];
  }
  const problems = REQUIRED.flatMap(({ name, value, why }) => {
    const now = variables.get(name) ?? "missing";
    if (now === value) return [];
    const message = `The server's ${name} is ${now} and must be ${value}: ${why}.`;
    return [binlogProblem("log_settings", message, setSql(name, value, flavor))];
  });
  if (variables.get("binlog_transaction_compression") !== "ON") return problems;
  const message =
    "The server's binlog_transaction_compression is ON and must be OFF: this program cannot unpack such transactions.";
  return [...problems, binlogProblem("log_settings", message, setSql("binlog_transaction_compression", "OFF", flavor))];
}

/** MariaDB forgets what SET GLOBAL set when it restarts. */
function setSql(name: string, value: string, flavor: "mysql" | "mariadb"): string {
  return flavor === "mysql"
    ? `SET PERSIST ${name} = ${value}; -- sessions that are open keep the old value`
    : `SET GLOBAL ${name} = ${value}; -- and ${name} = ${value} in the server's option file; open sessions keep the old value`;
}

function notPermitted({ account }: LogSettings): BinlogProblem {
  return binlogProblem(
    "permission",
    `The account ${account} may not read the binary log: it needs REPLICATION SLAVE and REPLICATION CLIENT.`,
    `GRANT REPLICATION SLAVE, REPLICATION CLIENT ON *.* TO ${quoteAccount(account)};`,
  );
}

/** True if the server's filters let changes of the database into its log. */
export function isLogged({ only, ignored }: ServerLog, database: string): boolean {
  return (only.length === 0 || only.includes(database)) && !ignored.includes(database);
}

function filterProblems(log: ServerLog, { schema }: BinlogNames): BinlogProblem[] {
  if (isLogged(log, schema)) return [];
  const message = `The server does not log the database ${schema}: binlog_do_db or binlog_ignore_db leaves it out. Change them in the server's option file and restart it.`;
  return [binlogProblem("log_filter", message)];
}

interface Asking {
  own: OwnTables;
  names: BinlogNames;
  settings: LogSettings;
  log: ServerLog;
}

/** A reader that begins where the log ends. */
function endOf({ settings, log }: Asking): Checkpoint {
  const { file, offset, gtids } = log.end;
  const { server, nowMs } = settings;
  return { server, place: { incarnation: Math.floor(nowMs / 1000), file, offset }, gtids, readToMs: nowMs };
}

function missingReader(asking: Asking): BinlogProblem {
  const { own, names } = asking;
  return binlogProblem(
    "reader_missing",
    `There is no reader ${names.reader} in ${ownName(own.binlogReader)}: the position from which to read the binary log is unknown.`,
    createReaderSql(own, names.reader, endOf(asking)),
  );
}

async function placeProblem(
  session: Asked,
  asking: Asking & { checkpoint: Checkpoint },
): Promise<BinlogProblem | null> {
  const why = await whyLost(session, asking);
  if (why === null) return null;
  const { own, names } = asking;
  return binlogProblem(
    "log_lost",
    `The reader ${names.reader} has lost its position in the binary log: ${why}. Let it start again at the end of the log; rows that were logged meanwhile are found in the table, or are lost with mark none.`,
    resetReaderSql(own, names.reader, endOf(asking)),
  );
}

/** A clause: why the log cannot be read from the checkpoint on; null if it can. */
async function whyLost(session: Asked, asking: Asking & { checkpoint: Checkpoint }): Promise<string | null> {
  const { settings, log, checkpoint } = asking;
  const { place, gtids, server } = checkpoint;
  if (server === settings.server && place.file !== "") {
    const file = log.files.find(({ name }) => name === place.file);
    if (!file) return `the server has removed the file ${place.file}`;
    if (place.offset > file.bytes) return `the file ${place.file} ends before the position ${place.offset}`;
    return gtids !== null && (await wasReset(session, settings, log, gtids)) ? "the server's log was reset" : null;
  }
  if (gtids === null || settings.numbering === null)
    return "another server answers now, and transactions have no numbers (GTID) by which to find the position";
  return (await hasPurged(session, settings, log, gtids))
    ? "this server has removed transactions that were not read"
    : null;
}

/** True if transactions that were read are unknown to the server. */
async function wasReset(session: Asked, { numbering }: LogSettings, log: ServerLog, gtids: string): Promise<boolean> {
  const executed = log.end.gtids ?? "";
  if (numbering === "mysql")
    return (await isTrue(session, `GTID_SUBSET(${literalOf(gtids)}, ${literalOf(executed)})`)) === false;
  return numbering === "mariadb" && !hasMariadbGtids(executed, gtids);
}

/** MariaDB reports that it has removed unread log only when the log is requested, so this is false there. */
async function hasPurged(session: Asked, { numbering }: LogSettings, _log: ServerLog, gtids: string): Promise<boolean> {
  if (numbering !== "mysql") return false;
  return (await isTrue(session, `GTID_SUBSET(@@GLOBAL.gtid_purged, ${literalOf(gtids)})`)) === false;
}

async function isTrue(session: Asked, condition: string): Promise<boolean> {
  const [row] = await session.rows(`SELECT ${condition}`);
  return row?.[0] === "1";
}

/** Unread files are at risk after this share of the time for which the server keeps files. */
const RISK = 0.75;

/** How much log the reader has not read, and whether the server is about to remove it. */
export function statusOf(name: string, { problems, checkpoint, log, settings }: BinlogCheck): StreamStatus {
  const place = checkpoint?.place ?? null;
  const lost = problems.some(({ code }) => code === "log_lost" || code === "reader_missing" || code === "log_off");
  const known = place && place.file !== "" && checkpoint?.server === settings.server ? place : null;
  const bytes = known && log && !lost ? unreadBytes(log, known) : null;
  const risky =
    checkpoint !== null && log !== null && known !== null && isAtRisk(settings, log, known, checkpoint.readToMs);
  return {
    name,
    lag: bytes === null ? null : { value: bytes, unit: "bytes" },
    state: lost ? "lost" : risky ? "at_risk" : "ok",
    detail: known ? `${known.file}:${known.offset}` : null,
    confirmed: place ? positionOf(place) : null,
  };
}

function unreadBytes({ files }: ServerLog, { file, offset }: BinlogPlace): number {
  const number = fileNumber(file);
  return files.reduce((sum, { name, bytes }) => {
    if (fileNumber(name) < number) return sum;
    return sum + (name === file ? Math.max(0, bytes - offset) : bytes);
  }, 0);
}

/** The file that is being written is never removed. */
function isAtRisk(
  { nowMs, keepSeconds }: LogSettings,
  log: ServerLog,
  { file }: BinlogPlace,
  readToMs: number,
): boolean {
  if (file === log.files.at(-1)?.name) return false;
  return keepSeconds > 0 && nowMs - readToMs > RISK * keepSeconds * 1000;
}
