import type { LookAhead, LookedAhead } from "#db/stores/port/relay/claim.ts";
import { columnSql, instantExpression } from "#db/stores/postgres/tables/mapping-sql.ts";
import { orderColumn } from "#db/stores/shared/tables/order-column.ts";
import { ownsAll } from "#domain/relay/partitions.ts";
import { aggregateKey, messageId, orderSql, type RelayContext } from "../relay-context.ts";
import { TransactionHorizon } from "../transaction-horizon.ts";
import { CLOSING } from "./claim-transaction.ts";
import { dueRows, parametersOf, variantName } from "./claimable.ts";
import { tableXminSql } from "./writers.ts";

/** Rows per statement: a tenth of a second. */
const LOOKED_AHEAD_ROWS = 20_000;

/**
 * The next publishable rows in order, without payloads: their aggregates, event types and ages. Claims nothing and does
 * not check the lease. Index: as for the claim. Race: as for skipDeadRows, a row that a long transaction commits among
 * them afterwards is found by a later search.
 */
export async function lookAhead(context: RelayContext, request: LookAhead): Promise<LookedAhead> {
  const variant = { fromStart: request.after === null, measured: false, shared: !ownsAll(request.lease) } as const;
  const all = { ...request, limit: LOOKED_AHEAD_ROWS, maxBytes: 1, excludeAggregates: [], wantLast: false };
  return context.sessions.transaction({
    opening: [`SELECT pg_snapshot_xmin(pg_current_snapshot())::text, ${tableXminSql(context.mapping)}`],
    closing: [CLOSING],
    work: async (session, opened, close) => {
      const { rows } = await session.query(
        `look-ahead-${variantName(variant)}`,
        lookStatement(context, variant),
        parametersOf(context, all),
      );
      const [closed] = await close();
      const [xmin, writersXmin] = opened.at(-1)?.[0] ?? [];
      const [xmax, databaseTimeMs] = closed?.[0] ?? [];
      const writers = writersXmin == null ? null : BigInt(writersXmin);
      return {
        horizon: new TransactionHorizon(BigInt(xmin ?? 0), BigInt(xmax ?? 0), writers),
        rows: rows.map(([id, key, type, first, second, createdAtMs]) => ({
          id: id ?? "",
          aggregateKey: key ?? null,
          eventType: type ?? null,
          order: [first ?? "", second ?? ""] as const,
          ageMs: createdAtMs == null ? Number.NaN : Number(databaseTimeMs) - Number(createdAtMs),
        })),
      };
    },
  });
}

function lookStatement(context: RelayContext, variant: Parameters<typeof dueRows>[1]): string {
  const { columns } = context.mapping;
  const position = [orderColumn(context.mapping), columns.id].map((column) => `${columnSql(column, "o")}::text`);
  const type = columns.eventType ? `${columnSql(columns.eventType, "o")}::text` : "NULL::text";
  const created = columns.createdAt
    ? `(extract(epoch FROM ${instantExpression(columns.createdAt, "o")}) * 1000)::float8::text`
    : "NULL::text";
  return `SELECT ${messageId(context.mapping)}, ${aggregateKey(context)}, ${type}, ${position.join(", ")}, ${created}
    FROM (${dueRows(context, variant)}) o WHERE $3::bigint > 0 ORDER BY ${orderSql(context.mapping).orderBy}`;
}
