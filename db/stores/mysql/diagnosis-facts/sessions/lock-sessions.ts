import { type SQL, sql } from "drizzle-orm";
import { listOf } from "#db/stores/shared/tables/list-of.ts";
import type { LockHolder } from "#domain/diagnosis/facts/sessions.ts";
import type { Session } from "../../connection/session.ts";
import { instantText, NOW } from "../../tables/column-values.ts";
import type { InnodbTransaction } from "./innodb-transactions.ts";
import { endSessionSql, shownQuery, stateOf } from "./our-sessions.ts";
import { nameOfParts } from "./prepared-names.ts";

/** A lock holder without its lock. */
export type LockSession = Pick<
  LockHolder,
  "user" | "clientAddress" | "state" | "transactionAt" | "queryAt" | "query" | "endStatement"
> & { pid: number; ageSeconds: number; transactionKnown: boolean };

/** Whole seconds, like those of InnoDB: the timer runs on during a reading, so fractions differ between readings. */
function whole(instant: SQL): SQL {
  return sql`(${instant} - INTERVAL MICROSECOND(${instant}) MICROSECOND)`;
}

/**
 * Sessions by their threads of performance_schema. Without a recorded transaction, as under LOCK TABLES, a session has
 * held its lock at least since its last statement.
 */
export async function readLockSessions(session: Session, threads: readonly number[]): Promise<LockSession[]> {
  const micros = sql`COALESCE(x.timer_wait DIV 1000000, t.processlist_time * 1000000)`;
  const query = sql`LEFT(COALESCE(t.processlist_info, s.sql_text), 2000)`;
  const rows = await session.rows(
    sql`SELECT t.processlist_id, t.processlist_user, t.processlist_host, t.processlist_command,
        ${instantText(whole(sql`(${NOW} - INTERVAL ${micros} MICROSECOND)`))}, ${micros}, x.timer_wait IS NOT NULL,
        ${instantText(sql`${NOW} - INTERVAL t.processlist_time SECOND`)}, ${query}, x.xa_state = 'PREPARED', x.xid_format_id, x.xid_gtrid, x.xid_bqual
      FROM performance_schema.threads t
      LEFT JOIN performance_schema.events_transactions_current x ON x.thread_id = t.thread_id AND x.state = 'ACTIVE'
      LEFT JOIN performance_schema.events_statements_current s ON s.thread_id = t.thread_id AND s.nesting_event_id IS NULL
      WHERE t.thread_id IN (${listOf(threads.map((thread) => sql`${thread}`))})`,
  );
  return rows.map(([id, user, host, command, since, age, known, commandAt, text, prepared, ...xid]) => ({
    pid: Number(id),
    user: user ?? null,
    clientAddress: host ?? null,
    state: stateOf(command),
    transactionAt: since ?? "",
    queryAt: command === "Query" ? (commandAt ?? null) : null,
    query: shownQuery(text),
    // A prepared transaction outlives its session.
    endStatement: `${endSessionSql(Number(id))}${prepared === "1" ? `; XA ROLLBACK ${nameOfParts(xid)}` : ""}`,
    ageSeconds: Number(age) / 1_000_000,
    transactionKnown: known === "1",
  }));
}

export function sessionOf(one: InnodbTransaction): LockSession {
  return {
    pid: one.connection,
    user: one.user,
    clientAddress: one.host,
    state: stateOf(one.command),
    transactionAt: one.startedAt,
    queryAt: null,
    query: shownQuery(one.query),
    endStatement: endSessionSql(one.connection),
    ageSeconds: one.ageSeconds,
    transactionKnown: true,
  };
}
