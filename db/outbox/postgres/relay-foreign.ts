import { encodeInstant, instantExpression, quoteLiteral, quoteTable } from "./mapping-sql.ts";
import type { RelayContext } from "./relay-context.ts";

/** Pages at the end of the table that are looked at: new row versions land there, or in pages freed a moment ago. */
const TAIL_PAGES = 2000;

/**
 * Rows published in the last minute although no relay of this program said that it published any. 0 when the table
 * keeps no time of publishing, or when our own relays were at work: then settle notices what is not theirs. One that
 * owns partitions may have published since its last heartbeat, or died before its next.
 * Reads the index on the time of publishing when there is one, else the tail of the table by row address: never more
 * than some pages of a large table. Race: none; it is a warning, not a guard.
 */
export async function foreignPublishes(context: RelayContext): Promise<number> {
  const { mapping, outbox } = context;
  const column = mapping.lifecycle.kind === "timestamp" ? mapping.lifecycle.column : mapping.columns.publishedAt;
  if (!column?.time) return 0;
  const table = quoteTable(mapping.table);
  return context.sessions.transaction({
    opening: ["SET LOCAL statement_timeout = 3000"],
    work: async (session) => {
      const ours = await session.query(
        "foreign-ours",
        `SELECT 1 FROM outbox_console.relay_instance WHERE outbox = $1
           AND (last_published_at > clock_timestamp() - interval '2 minutes'
             OR state = 'owner' AND heartbeat_at > clock_timestamp() - interval '2 minutes') LIMIT 1`,
        [outbox],
      );
      if (ours.rowCount > 0) return 0;
      const [shape] = await session.script(
        `SELECT c.relkind::text, greatest(pg_relation_size(c.oid) / current_setting('block_size')::int - ${TAIL_PAGES}, 0)::text,
           EXISTS (SELECT FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
             WHERE i.indrelid = c.oid AND i.indisvalid AND i.indpred IS NULL AND a.attname = ${quoteLiteral(column.name)})::text,
           current_setting('server_version_num')
         FROM pg_class c WHERE c.oid = ${quoteLiteral(table)}::regclass`,
      );
      const [kind, firstPage, indexed, version] = shape?.[0] ?? [];
      const since = encodeInstant(column, "(statement_timestamp() - interval '1 minute')");
      const recent = `"${column.name.replaceAll('"', '""')}" > ${since} AND ${instantExpression(column)} <= clock_timestamp() + interval '1 minute'`;
      const large = indexed !== "true" && firstPage !== "0";
      if (large && Number(version) < 140_000) return 0;
      if (kind === "p" && indexed !== "true") return 0;
      const tail = large ? ` AND ctid >= '(${firstPage},0)'` : "";
      const found = await session.query(
        "foreign-recent",
        `SELECT count(*)::text FROM (SELECT FROM ${table} WHERE ${recent}${tail} LIMIT 1000) recent`,
        [],
      );
      return Number(found.rows[0]?.[0] ?? 0);
    },
  });
}
