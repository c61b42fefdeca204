import type { RelayTable } from "#db/stores/port/relay/relay-table.ts";
import { quoteLiteral, quoteTable } from "#db/stores/postgres/tables/mapping-sql.ts";
import { recentRows } from "#db/stores/postgres/tables/recent-rows.ts";
import { partitionMask } from "#db/stores/shared/relay/partition-mask.ts";
import { publishedColumn } from "#db/stores/shared/relay/published-column.ts";
import { rowInPartitions } from "../partition-sql.ts";
import { messageId, type RelayContext } from "../relay-context.ts";

/** A row if one of our relays was at work lately, or a change-over, which marks rows, too. */
const OURS = `
SELECT 1 FROM outbox_console.relay_instance WHERE outbox = $1
  AND (last_published_at > clock_timestamp() - interval '2 minutes'
    OR state = 'owner' AND heartbeat_at > clock_timestamp() - interval '2 minutes')
UNION ALL SELECT 1 FROM outbox_console.audit
  WHERE outbox = $1 AND action = 'relay.change_over' AND at > clock_timestamp() - interval '70 s'
LIMIT 1`;
/** Sample size per check while we publish. */
const SAMPLED_ROWS = 1000;

/**
 * Number of rows published in the last minute while none of our relays published. 0 if the table has no publication
 * time, or if our own relays or a change-over were active: then the settle notices foreign rows. An owner counts as
 * active, as it may have published since its last heartbeat or died before its next.
 * Race: none; this is a warning, not a guard.
 */
export async function foreignPublishes(context: RelayContext): Promise<number> {
  const { outbox } = context;
  const column = publishedColumn(context.mapping);
  if (!column) return 0;
  return context.sessions.transaction({
    opening: [LOOK_TIMEOUT],
    work: async (session) => {
      const ours = await session.query("foreign-ours", OURS, [outbox]);
      if (ours.rowCount > 0) return 0;
      const recent = await recentRows(context.mapping, (sql) => session.script(sql).then(([rows]) => rows), {
        column,
        interval: "interval '1 minute'",
      });
      if (recent === null) return 0;
      const [found] = await session.script(`SELECT count(*)::text FROM (SELECT ${recent} LIMIT 1000) recent`);
      return Number(found?.[0]?.[0] ?? 0);
    },
  });
}

/**
 * Longest time without a look at the rows, ms. An idle session reports its updates to the statistics 10 s late, and
 * before Postgres 15 not before its next transaction.
 */
const TRUSTED_MS = 30_000;

/** `RelayTable.recentlyPublished`. Reads no rows while the server's statistics show no update since the last look. */
export function createRecentlyPublished(context: RelayContext): RelayTable["recentlyPublished"] {
  let updates: string | null = null;
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  return async ({ lease, windowMs }) => {
    const column = context.mapping.lifecycle.kind === "timestamp" ? publishedColumn(context.mapping) : null;
    if (!column) return [];
    const table = quoteTable(context.mapping.table);
    const { rows } = await context.sessions.single(
      "updates",
      `SELECT CASE relkind WHEN 'p' THEN clock_timestamp()::text ELSE (pg_stat_get_tuples_updated(oid) + pg_stat_get_xact_tuples_updated(oid))::text END
       FROM pg_class WHERE oid = ${quoteLiteral(table)}::regclass`,
      [],
    );
    const [now = null] = rows[0] ?? [];
    const startedMs = performance.now();
    if (now === updates && startedMs - lookedAtMs < TRUSTED_MS) return null;
    const ids = await context.sessions.transaction({
      opening: [LOOK_TIMEOUT],
      work: async (session) => {
        const recent = await recentRows(context.mapping, (sql) => session.script(sql).then(([rows]) => rows), {
          column,
          interval: `${Math.round(windowMs)} * interval '1 ms'`,
        });
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
    lookedAtMs = startedMs;
    return ids;
  };
}

const LOOK_TIMEOUT = "SET LOCAL statement_timeout = 3000";
