import type { MappedColumn } from "#db/stores/port/mapping.ts";
import type { RelayTable } from "#db/stores/port/relay/relay-table.ts";
import type { RelaySession } from "#db/stores/postgres/connection/sessions.ts";
import {
  columnSql,
  encodeInstant,
  instantExpression,
  quoteLiteral,
  quoteTable,
} from "#db/stores/postgres/tables/mapping-sql.ts";
import { partitionMask, rowInPartitions } from "../partition-sql.ts";
import { messageId, type RelayContext } from "../relay-context.ts";

/** Pages read at the end of the table: new row versions land there, or in recently freed pages. */
const TAIL_PAGES = 2000;

/** Sample size per check while we publish. */
const SAMPLED_ROWS = 1000;

/**
 * Number of rows published in the last minute while none of our relays published. 0 if the table has no publication
 * time, or if our own relays were active: then the settle notices foreign rows. An owner counts as active, as it may
 * have published since its last heartbeat or died before its next.
 * Race: none; this is a warning, not a guard.
 */
export async function foreignPublishes(context: RelayContext): Promise<number> {
  const { outbox } = context;
  const column = publishedColumn(context);
  if (!column) return 0;
  return context.sessions.transaction({
    opening: [LOOK_TIMEOUT],
    work: async (session) => {
      const ours = await session.query(
        "foreign-ours",
        `SELECT 1 FROM outbox_console.relay_instance WHERE outbox = $1
           AND (last_published_at > clock_timestamp() - interval '2 minutes'
             OR state = 'owner' AND heartbeat_at > clock_timestamp() - interval '2 minutes') LIMIT 1`,
        [outbox],
      );
      if (ours.rowCount > 0) return 0;
      const recent = await recentRows(context, session, column, "interval '1 minute'");
      if (recent === null) return 0;
      const [found] = await session.script(`SELECT count(*)::text FROM (SELECT ${recent} LIMIT 1000) recent`);
      return Number(found?.[0]?.[0] ?? 0);
    },
  });
}

/** `RelayTable.recentlyPublished`. Reads no rows if the server's statistics show no update since the last check. */
export function createRecentlyPublished(context: RelayContext): RelayTable["recentlyPublished"] {
  let updates: string | null = null;
  return async ({ lease, windowMs }) => {
    const column = context.mapping.lifecycle.kind === "timestamp" ? publishedColumn(context) : null;
    if (!column) return [];
    const table = quoteTable(context.mapping.table);
    const { rows } = await context.sessions.single(
      "updates",
      `SELECT CASE relkind WHEN 'p' THEN clock_timestamp()::text ELSE (pg_stat_get_tuples_updated(oid) + pg_stat_get_xact_tuples_updated(oid))::text END
       FROM pg_class WHERE oid = ${quoteLiteral(table)}::regclass`,
      [],
    );
    const [now = null] = rows[0] ?? [];
    if (now === updates) return [];
    const ids = await context.sessions.transaction({
      opening: [LOOK_TIMEOUT],
      work: async (session) => {
        const recent = await recentRows(context, session, column, `${Math.round(windowMs)} * interval '1 ms'`);
        if (recent === null) return [];
        // Not prepared: its text changes as the table grows.
        const found = await session.client.query<{ id: string }>(
          `SELECT ${messageId(context.mapping)} AS id ${recent} AND ${rowInPartitions(context, 1)} LIMIT ${SAMPLED_ROWS}`,
          [partitionMask(lease)],
        );
        return found.rows.map(({ id }) => id);
      },
    });
    updates = now;
    return ids;
  };
}

const LOOK_TIMEOUT = "SET LOCAL statement_timeout = 3000";

function publishedColumn({ mapping }: RelayContext): MappedColumn | null {
  const column = mapping.lifecycle.kind === "timestamp" ? mapping.lifecycle.column : mapping.columns.publishedAt;
  return column?.time ? column : null;
}

/**
 * FROM and WHERE of rows `o` published within the interval; null if they cannot be found cheaply. Uses the index on the
 * publication time if there is one, otherwise the tail of the table by row address: never more than some pages of a
 * large table.
 */
async function recentRows(
  { mapping }: RelayContext,
  session: RelaySession,
  column: MappedColumn,
  interval: string,
): Promise<string | null> {
  const table = quoteTable(mapping.table);
  const [shape] = await session.script(
    `SELECT c.relkind::text, greatest(pg_relation_size(c.oid) / current_setting('block_size')::int - ${TAIL_PAGES}, 0)::text,
       EXISTS (SELECT FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
         WHERE i.indrelid = c.oid AND i.indisvalid AND i.indpred IS NULL AND a.attname = ${quoteLiteral(column.name)})::text,
       current_setting('server_version_num')
     FROM pg_class c WHERE c.oid = ${quoteLiteral(table)}::regclass`,
  );
  const [kind, firstPage, indexed, version] = shape?.[0] ?? [];
  const since = encodeInstant(column, `(statement_timestamp() - ${interval})`);
  const recent = `${columnSql(column, "o")} > ${since} AND ${instantExpression(column, "o")} <= clock_timestamp() + interval '1 minute'`;
  const large = indexed !== "true" && firstPage !== "0";
  if (large && Number(version) < 140_000) return null;
  if (kind === "p" && indexed !== "true") return null;
  return `FROM ${table} o WHERE ${recent}${large ? ` AND o.ctid >= '(${firstPage},0)'` : ""}`;
}
