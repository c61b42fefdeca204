import { randomUUID } from "node:crypto";
import type { Followed, FollowRequest } from "#db/stores/port/relay/claim.ts";
import type { OrderKey } from "#db/stores/port/relay/outgoing-message.ts";
import { columnSql, quoteTable, unsentPredicate } from "#db/stores/postgres/tables/mapping-sql.ts";
import { compareOrder } from "#db/stores/shared/relay/compare-order.ts";
import { orderOf } from "#db/stores/shared/relay/order-of.ts";
import { orderColumn } from "#db/stores/shared/tables/order-column.ts";
import { ownsAll } from "#domain/relay/partitions.ts";
import type { RowReader } from "../read-row.ts";
import { orderSql, type RelayContext } from "../relay-context.ts";
import { ReadPoint } from "../row-version.ts";
import { insertClaim } from "./claim-new.ts";
import { claimOpening, readOpening } from "./claim-transaction.ts";
import { type ClaimVariant, fromPosition, parametersOf, variantName } from "./claimable.ts";
import { fromMeasuredRows } from "./measured-rows.ts";

/** Unsent rows that one claim walks over: some 10 ms. */
const WALKED_ROWS = 4000;

/**
 * `RelayTable.claimFollowers`. The edge is read first: a claim of few rows among many would walk to the end of the
 * table. Index: as for the claim of new rows, twice. Race: as there; a row cannot be committed between the two reads,
 * since they end before a closed place.
 */
export async function claimFollowers(
  context: RelayContext,
  reader: RowReader,
  request: FollowRequest,
): Promise<Followed> {
  const { lease, after, before, limit, maxBytes } = request;
  const token = randomUUID();
  const fromStart = after === null;
  return context.sessions.transaction({
    opening: [...claimOpening(context, lease), edgeStep(context, fromStart, after)],
    work: async (session, opened, close) => {
      const { measures, xmin } = readOpening(opened.slice(0, -1));
      const variant = {
        ...{ fromStart, shared: !ownsAll(lease), followers: true },
        measured: measures,
      };
      const edge = orderOf(opened.at(-1)?.[0]);
      const end = edge !== null && compareOrder(edge, before) < 0 ? edge : before;
      const of = parametersOf(context, { ...request, excludeAggregates: request.aggregates, wantLast: false });
      const keys = orderSql(context.mapping).columns.length;
      const name = `followers-${variantName(variant)}`;
      const statement = followersStatement(context, reader, variant, of.length + 1);
      const { rows } = await session.query(name, statement, [...of, ...end.slice(0, keys)]);
      const point = new ReadPoint(xmin);
      const messages = rows.map((row) => reader.read(row, point));
      const ids = messages.map(({ id }) => id);
      await close(ids.length > 0 ? [insertClaim(lease, token, ids)] : []);
      const bytes = Number(rows.at(-1)?.at(-1) ?? 0);
      const last = messages.at(-1);
      const isFull = last !== undefined && (rows.length >= limit || bytes >= maxBytes);
      return { claim: ids.length > 0 ? { token, messages } : null, reached: isFull ? last.order : end };
    },
  });
}

/** The unsent row WALKED_ROWS further on, of any aggregate; none if the table ends before. */
function edgeStep(context: RelayContext, fromStart: boolean, after: OrderKey | null) {
  const { mapping } = context;
  const order = orderSql(mapping);
  const position = [orderColumn(mapping), mapping.columns.id].map((column) => `${columnSql(column, "o")}::text`);
  return {
    name: `outbox_console_edge_${fromStart ? "start" : "after"}`,
    text: `SELECT ${position.join(", ")} FROM ${quoteTable(mapping.table)} o
      WHERE ${unsentPredicate(mapping, "o")} AND ${fromPosition(order, { fromStart }, 1)} ORDER BY ${order.orderBy} OFFSET ${WALKED_ROWS} LIMIT 1`,
    values: [after?.[0] ?? null, after?.[1] ?? null],
  };
}

/** Parameters: those of `dueRows`, and from `end` on the place before which it ends. */
function followersStatement(context: RelayContext, reader: RowReader, variant: ClaimVariant, end: number): string {
  const { columns, types } = orderSql(context.mapping);
  const place = types.map((type, index) => `$${end + index}::text::${type}`);
  const within = `AND (${columns.join(", ")}) < (${place.join(", ")})`;
  return `SELECT ${reader.columns.join(", ")}, o.outbox_console_bytes::text ${fromMeasuredRows(context, variant, within)}`;
}
