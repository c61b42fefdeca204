import type { ClaimRequest } from "#db/stores/port/relay/claim.ts";
import type { Head } from "#db/stores/port/relay/head.ts";
import { columnText, exact } from "../../tables/mapping-sql.ts";
import { textList } from "../literals.ts";
import { orderSql } from "../order-sql.ts";
import { aggregateKey, messageId, type RelayContext } from "../relay-context.ts";
import { unsentRows } from "../waiting-rows.ts";
import { dueConditions } from "./claimable.ts";
import { positionOf } from "./positions.ts";

/** Most unsent rows to read from the start: at most some seconds of database time. */
const LOOKED_ROWS = 250_000;
/**
 * Last unsent rows, read if the first are not enough: messages that wait for a broken route are older than new ones.
 */
const LAST_ROWS = 1000;

/**
 * The first publishable message with an event type not in `excludeTypes`, from an aggregate without messages of those
 * types among the rows read; of the last rows, the last such message. Claims nothing. Index: as for the claim, forwards
 * and backwards. Race: the later claim checks that the message is still there and takes the first of its aggregate.
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
  const [first, second] = positionOf(context);
  const { columns } = orderSql(context.mapping);
  const keys = columns.map((sql, index) => `${sql} AS k${index}`);
  const page = unsentRows(context, {
    select: [
      `${messageId(context.mapping)} AS id`,
      `${exact(aggregateKey(context))} AS lane`,
      `${eventType ? `COALESCE(${exact(columnText(eventType, "o"))} IN ${textList(excludeTypes)}, FALSE)` : "FALSE"} AS left_out`,
      `${first} AS p0, ${second} AS p1`,
      ...keys,
    ],
    after: null,
    where: dueConditions(context, request),
    limit: last ? LAST_ROWS : LOOKED_ROWS,
    backwards: last,
  });
  // A message without an aggregate is a separate lane.
  const statement = `WITH page AS (${page})
    SELECT id, lane, p0, p1 FROM page WHERE NOT left_out
      AND (lane IS NULL OR lane NOT IN (SELECT o.lane FROM page o WHERE o.left_out AND o.lane IS NOT NULL))
    ORDER BY ${keys.map((_, index) => `k${index}${last ? " DESC" : ""}`).join(", ")} LIMIT 1`;
  const [row] = await context.sessions.single((session) => session.rows(statement));
  return row ? { id: row[0] ?? "", aggregateKey: row[1] ?? null, order: [row[2] ?? "", row[3] ?? ""] } : null;
}
