import type { ClaimRequest } from "#db/stores/port/relay/claim.ts";
import type { Head } from "#db/stores/port/relay/head.ts";
import { textArray } from "#db/stores/postgres/connection/text-array.ts";
import { columnSql } from "#db/stores/postgres/tables/mapping-sql.ts";
import { orderColumn } from "#db/stores/shared/tables/order-column.ts";
import { ownsAll } from "#domain/relay/partitions.ts";
import { aggregateKey, messageId, orderSql, type RelayContext } from "../relay-context.ts";
import { dueRows, parametersOf } from "./claimable.ts";

/** Most unsent rows read from the first on: at most a second of database time. */
const LOOKED_ROWS = 250_000;
/** The last unsent rows, read if the first are not enough: messages of a broken route are older than new ones. */
const LAST_ROWS = 1000;

/**
 * The first publishable message with an event type not in `excludeTypes`, from an aggregate without messages of those
 * types among the rows read; of the last rows, the last one. Claims nothing. A hashed subplan excludes the aggregates.
 * Index: as for the claim, forwards and backwards. Race: the later claim checks that the message is still there and
 * takes the first of its aggregate.
 */
export async function findHead(
  context: RelayContext,
  request: ClaimRequest,
  { excludeTypes, last = false }: { excludeTypes: readonly string[]; last?: boolean },
): Promise<Head | null> {
  const first = last ? null : await findAmong(context, request, { excludeTypes });
  return first ?? findAmong(context, request, { excludeTypes, last: true });
}

async function findAmong(
  context: RelayContext,
  request: ClaimRequest,
  { excludeTypes, last = false }: { excludeTypes: readonly string[]; last?: boolean },
): Promise<Head | null> {
  const { eventType } = context.mapping.columns;
  if (!eventType && !last) return null;
  const shared = !ownsAll(request.lease);
  const parameters = parametersOf(context, { ...request, after: null, limit: last ? LAST_ROWS : LOOKED_ROWS });
  const statement = findStatement(context, {
    ...{ shared, last },
    type: eventType ? columnSql(eventType, "o") : "NULL",
    parameter: parameters.length + 1,
  });
  const name = `find-head${shared ? "-shared" : ""}${last ? "-last" : ""}`;
  const { rows } = await context.sessions.single(name, statement, [...parameters, textArray(excludeTypes)]);
  const [row] = rows;
  return row ? { id: row[0] ?? "", aggregateKey: row[1] ?? null, order: [row[2] ?? "", row[3] ?? ""] } : null;
}

function findStatement(
  context: RelayContext,
  { shared, last, type, parameter }: { shared: boolean; last: boolean; type: string; parameter: number },
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
  FROM (${dueRows(context, { fromStart: true, measured: false, shared, backwards: last })}) o WHERE $3::bigint > 0
)
SELECT id, key, p0, p1 FROM page WHERE NOT ${excluded}
  AND (key IS NULL OR key NOT IN (SELECT other.key FROM page other WHERE coalesce(other.type = ANY ($${parameter}::text[]), false) AND other.key IS NOT NULL))
ORDER BY ${keys.map((key) => (last ? `${key} DESC` : key)).join(", ")} LIMIT 1`;
}
