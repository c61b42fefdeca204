import type { LookAhead, LookedAhead } from "#db/stores/port/relay/claim.ts";
import { columnText, instantExpression, messageIdExpression } from "../../tables/mapping-sql.ts";
import { aggregateKey, type RelayContext, type StatementContext } from "../relay-context.ts";
import { unsentRows } from "../waiting-rows.ts";
import { dueConditions } from "./claimable.ts";
import { positionOf } from "./positions.ts";

/** Rows per statement: a tenth of a second. */
const LOOKED_AHEAD_ROWS = 20_000;

/**
 * The next publishable rows in order, without payloads: their aggregates, event types and ages. Claims nothing and does
 * not check the lease. Index: as for the claim. Race: as for skipDeadRows, a row that a long transaction commits among
 * them afterwards is found by a later search.
 */
export async function lookAhead(context: RelayContext, request: LookAhead): Promise<LookedAhead> {
  const { eventType, createdAt } = context.mapping.columns;
  const select = [
    messageIdExpression(context.mapping, "o"),
    aggregateKey(context),
    eventType ? columnText(eventType, "o") : "NULL",
    ...positionOf(context),
    createdAt ? ageMs(context) : "NULL",
  ];
  const { after } = request;
  const where = dueConditions(context, request);
  const begun = context.transactions.begin();
  const rows = await context.sessions.single((session) =>
    session.rows(unsentRows(context, { select, after, where, limit: LOOKED_AHEAD_ROWS })),
  );
  const horizon = begun.ended();
  return {
    horizon,
    rows: rows.map(([id, key, type, first, second, age]) => ({
      id: id ?? "",
      aggregateKey: key ?? null,
      eventType: type ?? null,
      order: [first ?? "", second ?? ""] as const,
      ageMs: age == null ? Number.NaN : Number(age),
    })),
  };
}

/** SQL: age of row `o` on the database clock, ms; null if the table has no creation time. */
export function ageMs({ mapping }: StatementContext): string {
  const { createdAt } = mapping.columns;
  if (!createdAt) return "NULL";
  return `TIMESTAMPDIFF(MICROSECOND, ${instantExpression(createdAt, "o")}, UTC_TIMESTAMP(6)) / 1000`;
}
