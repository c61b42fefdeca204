import type { ClaimRequest } from "#db/stores/port/relay/claim.ts";
import type { Head } from "#db/stores/port/relay/head.ts";
import { textArray } from "#db/stores/postgres/connection/text-array.ts";
import { columnSql, orderColumn } from "#db/stores/postgres/tables/mapping-sql.ts";
import { ownsAll } from "#domain/partitions.ts";
import { aggregateKey, messageId, orderSql, type RelayContext } from "../relay-context.ts";
import { dueRows, parametersOf } from "./claimable.ts";

/** Most unsent rows read, from the first on: at most a second of database time. */
const LOOKED_ROWS = 250_000;

/**
 * The first publishable message with an event type not in `excludeTypes`, from an aggregate without messages of those
 * types among the rows read: it is the head of its aggregate and overtakes nothing. Claims nothing. A hashed subplan
 * excludes the aggregates. Index: as for the claim. Race: the later claim checks that the message is still there and
 * that nothing is before it.
 */
export async function findHead(
  context: RelayContext,
  request: ClaimRequest,
  excludeTypes: readonly string[],
): Promise<Head | null> {
  const { eventType } = context.mapping.columns;
  if (!eventType) return null;
  const shared = !ownsAll(request.lease);
  const parameters = parametersOf(context, { ...request, after: null, limit: LOOKED_ROWS });
  const statement = findStatement(context, {
    shared,
    type: columnSql(eventType, "o"),
    parameter: parameters.length + 1,
  });
  const name = `find-head${shared ? "-shared" : ""}`;
  const { rows } = await context.sessions.single(name, statement, [...parameters, textArray(excludeTypes)]);
  const [row] = rows;
  return row ? { id: row[0] ?? "", aggregateKey: row[1] ?? null, order: [row[2] ?? "", row[3] ?? ""] } : null;
}

function findStatement(
  context: RelayContext,
  { shared, type, parameter }: { shared: boolean; type: string; parameter: number },
): string {
  const { mapping } = context;
  const { columns } = orderSql(mapping);
  const position = [orderColumn(mapping), mapping.columns.id].map((column) => `${columnSql(column, "o")}::text`);
  const keys = columns.map((_, index) => `k${index}`);
  const excluded = `coalesce(type = ANY ($${parameter}::text[]), false)`;
  return `
WITH page AS MATERIALIZED (
  SELECT ${messageId(mapping)} AS id, ${aggregateKey(context)} AS key, ${type}::text AS type, ${position[0]} AS p0, ${position[1]} AS p1,
    ${columns.map((sql, index) => `${sql} AS k${index}`).join(", ")}
  FROM (${dueRows(context, { fromStart: true, measured: false, shared })}) o WHERE $3::bigint > 0
)
SELECT id, key, p0, p1 FROM page WHERE NOT ${excluded}
  AND (key IS NULL OR key NOT IN (SELECT other.key FROM page other WHERE coalesce(other.type = ANY ($${parameter}::text[]), false) AND other.key IS NOT NULL))
ORDER BY ${keys.join(", ")} LIMIT 1`;
}
