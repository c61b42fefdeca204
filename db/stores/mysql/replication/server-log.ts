import { literalOf } from "../connection/literal.ts";
import type { Session } from "../connection/session.ts";

/** The server's settings of its binary log. */
export interface LogSettings {
  /** Identity of the server whose files these are. */
  server: string;
  /** How the server numbers transactions; null if it does not. */
  numbering: "mysql" | "mariadb" | null;
  /** Name in lower case; missing where the server has no such setting. */
  variables: ReadonlyMap<string, string>;
  /** The account of the session, `user@host`. */
  account: string;
  /** The server's clock, ms since 1970. */
  nowMs: number;
  /** After so many seconds the server removes a file that it no longer writes; 0: never by time. */
  keepSeconds: number;
}

interface LogFile {
  name: string;
  bytes: number;
}

export interface ServerLog {
  /** Oldest first; the last is being written. */
  files: readonly LogFile[];
  /** Where the log ends, and the transactions up to there. */
  end: { file: string; offset: number; gtids: string | null };
  /** Databases that alone are logged, and those that are not; empty if all are. */
  only: readonly string[];
  ignored: readonly string[];
}

const VARIABLES = [
  ...[
    "log_bin",
    "binlog_format",
    "binlog_row_image",
    "binlog_row_metadata",
    "binlog_transaction_compression",
    "log_bin_compress",
  ],
  ...[
    "binlog_expire_logs_seconds",
    "expire_logs_days",
    "gtid_mode",
    "binlog_order_commits",
    "server_uuid",
    "server_id",
    "hostname",
    "port",
  ],
];

const DAY_S = 86_400;

/** Needs no privilege. */
export async function readSettings(session: Pick<Session, "script" | "server">): Promise<LogSettings> {
  const [found, facts] = await session.script([
    `SHOW GLOBAL VARIABLES WHERE Variable_name IN (${VARIABLES.map(literalOf).join(", ")})`,
    "SELECT CURRENT_USER(), UNIX_TIMESTAMP(SYSDATE(6)) * 1000",
  ]);
  const variables = new Map((found?.rows ?? []).map(([name, value]) => [(name ?? "").toLowerCase(), value ?? ""]));
  const [account, nowMs] = facts?.rows[0] ?? [];
  const { flavor } = session.server;
  const place = ["hostname", "port", "server_id"].map((name) => variables.get(name) ?? "").join(":");
  return {
    server: variables.get("server_uuid") || place,
    numbering: flavor === "mariadb" ? "mariadb" : variables.get("gtid_mode") === "ON" ? "mysql" : null,
    variables,
    account: account ?? "",
    nowMs: Number(nowMs),
    keepSeconds:
      Number(variables.get("binlog_expire_logs_seconds") ?? 0) ||
      Number(variables.get("expire_logs_days") ?? 0) * DAY_S,
  };
}

/** The oldest MySQL that knows the newer name of the statement. */
const RENAMED = 80200;

/** Needs REPLICATION CLIENT (MariaDB: BINLOG MONITOR). */
export async function readServerLog(
  session: Pick<Session, "rows" | "script" | "server">,
  { numbering }: LogSettings,
): Promise<ServerLog> {
  const { flavor, version } = session.server;
  const status = flavor === "mysql" && version >= RENAMED ? "SHOW BINARY LOG STATUS" : "SHOW MASTER STATUS";
  const [logs, shown] = await session.script(["SHOW BINARY LOGS", status]);
  const [file, offset, only, ignored, executed] = shown?.rows[0] ?? [];
  const gtids =
    numbering === "mysql"
      ? withoutSpaces(executed)
      : numbering === null
        ? null
        : await mariadbGtids(session, file, offset);
  return {
    files: (logs?.rows ?? []).map(([name, bytes]) => ({ name: name ?? "", bytes: Number(bytes) })),
    end: { file: file ?? "", offset: Number(offset), gtids },
    only: listOf(only),
    ignored: listOf(ignored),
  };
}

async function mariadbGtids(
  session: Pick<Session, "rows">,
  file: string | null | undefined,
  offset: string | null | undefined,
): Promise<string | null> {
  const [row] = await session.rows(`SELECT BINLOG_GTID_POS(${literalOf(file)}, ${Number(offset)})`);
  return row?.[0] ?? null;
}

/** The server breaks a long set into lines. */
function withoutSpaces(text: string | null | undefined): string {
  return (text ?? "").replace(/\s/g, "");
}

function listOf(text: string | null | undefined): string[] {
  return (text ?? "").split(",").filter((name) => name !== "");
}

/** True if the account may read the log as a replica does (REPLICATION SLAVE). */
export async function maySendLog(session: Pick<Session, "rows" | "server">): Promise<boolean> {
  if (session.server.flavor === "mysql") {
    // Needs the same privilege, and counts those of roles.
    await session.rows("SHOW BINLOG EVENTS LIMIT 1");
    return true;
  }
  const grants = await session.rows("SHOW GRANTS");
  return grants.some(
    ([grant]) => /\bON \*\.\* /.test(grant ?? "") && /REPLICATION SLAVE|ALL PRIVILEGES/.test(grant ?? ""),
  );
}
