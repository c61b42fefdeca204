import pg from "pg";
import { connectionString } from "./connection-string.ts";
import { TEXT_FORMS } from "./text-forms.ts";

export interface PoolOptions {
  /** With the parameter `pgbouncer=true` no session options are sent; limits are then set per transaction only. */
  url: string;
  applicationName: string;
  /** Sessions refuse to write. */
  readOnly: boolean;
  max: number;
  statementTimeoutMs: number;
}

/** A connection is replaced after this time: after a failover its address may lead to another server. */
const LIFETIME_S = 30;
/** Longest time to wait for a connection, ms. */
const CONNECT_TIMEOUT_MS = 3000;

/**
 * A pool whose sessions carry their own limits, so that no query outlives its caller. The client-side timeout is longer
 * than the server's and covers a server that hangs.
 */
export function createPool(options: PoolOptions): pg.Pool {
  const settings = [
    ...(options.readOnly ? ["default_transaction_read_only=on"] : []),
    `statement_timeout=${options.statementTimeoutMs}`,
    "lock_timeout=1000",
    "idle_in_transaction_session_timeout=15000",
    ...Object.entries(TEXT_FORMS).map(([name, value]) => `${name}=${value}`),
  ];
  const { url, pooled } = splitPooler(options.url);
  const pool = new pg.Pool({
    connectionString: connectionString(url),
    application_name: options.applicationName,
    max: options.max,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: options.statementTimeoutMs + 2000,
    idleTimeoutMillis: 30_000,
    maxLifetimeSeconds: LIFETIME_S,
    keepAlive: true,
    allowExitOnIdle: true,
    ...(pooled ? {} : { options: settings.map((setting) => `-c ${setting}`).join(" ") }),
  });
  surviveLostConnections(pool);
  return pool;
}

/**
 * Without these listeners the event of a connection that dies would end the process. In use it fails its query, and an
 * idle one is replaced at the next query, which reports any error. Each client needs its own from the beginning: a server
 * may end it in the same packet in which it says that it is ready.
 */
export function surviveLostConnections(pool: pg.Pool): void {
  pool.on("connect", (client) => void client.on("error", () => undefined));
  pool.on("error", () => undefined);
}

/** True if the pool would have a connection left for others after one more is taken. */
export function hasSpare({ options, totalCount, idleCount, waitingCount }: pg.Pool): boolean {
  return totalCount - idleCount + waitingCount + 2 <= options.max;
}

/** A pooler in transaction mode refuses startup options; `pgbouncer=true` in the URL declares one. */
export function splitPooler(url: string): { url: string; pooled: boolean } {
  const pooled = /[?&]pgbouncer=true(&|$)/.test(url);
  return { pooled, url: url.replace(/([?&])pgbouncer=true(&|$)/, "$1").replace(/[?&]$/, "") };
}
