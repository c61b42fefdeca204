import type { Skipped } from "#db/stores/port/relay/claim.ts";
import type { OrderKey } from "#db/stores/port/relay/outgoing-message.ts";
import { orderOf } from "#db/stores/shared/relay/order-of.ts";
import type { Session } from "../../connection/session.ts";
import { quoteLiteral } from "../../tables/mapping-sql.ts";
import { ownName, type RelayContext } from "../relay-context.ts";
import { unsentRows } from "../waiting-rows.ts";
import { ageMs } from "./look-ahead.ts";
import { KEPT, notDeadSql } from "./not-dead.ts";
import { beforePosition, positionOf, upToPosition } from "./positions.ts";

/** Up to this many dead or waiting rows, the read itself passes them in a few milliseconds. */
const MANY_BESIDE = 5000;
/** Unsent rows per call: each costs a lookup of some 3 µs. */
const MOST_SKIPPED = 250_000;

/**
 * The last row of the run from `after` on in which every row is dead or waits for a retry: a read that begins behind it
 * misses no row that was committed before. Null if there are few such rows, if the first row is publishable, or if
 * rows have no creation time.
 * Index: as for the claim; primary key of delivery.
 * Race: a skipped row that becomes publishable later is a retry, which reads do not find anyway. A transaction that is
 * still open may commit a row into the run before the next read, and a newer message of its aggregate behind the run.
 * The server's view of open transactions is too old to exclude that, so the reader always asks again after its read.
 */
export async function skipDeadRows(context: RelayContext, after: OrderKey | null): Promise<Skipped | null> {
  if (!context.mapping.columns.createdAt) return null;
  const { transactions } = context;
  const read = await context.sessions.single(async (session) => {
    if (!(await areMany(context, session))) return null;
    const begun = transactions.begin();
    const end = await endOfRun(context, session, after);
    return { end, horizon: begun.ended() };
  });
  if (read === null) return null;
  const { end, horizon } = read;
  const reached = orderOf(end);
  const age = end?.[2];
  return reached === null || age == null ? null : { reached, horizon, ageMs: Number(age), closed: false };
}

async function areMany({ own, outbox }: RelayContext, session: Session): Promise<boolean> {
  const rows = await session.rows(
    `SELECT 1 FROM ${ownName(own.delivery)} d WHERE d.outbox = ${quoteLiteral(outbox)} AND ${KEPT} LIMIT ${MANY_BESIDE}, 1`,
  );
  return rows.length > 0;
}

/** The row before the first publishable one; if there is none among MOST_SKIPPED rows, the last of them. */
async function endOfRun(
  context: RelayContext,
  session: Session,
  after: OrderKey | null,
): Promise<(string | null)[] | undefined> {
  const select = [...positionOf(context), ageMs(context)];
  const one = { select, after, limit: 1 };
  const [edge] = await session.rows(unsentRows(context, { ...one, where: [], offset: MOST_SKIPPED }));
  const edgeOrder = orderOf(edge);
  const within = edgeOrder === null ? [] : upToPosition(context, edgeOrder);
  const [first] = await session.rows(unsentRows(context, { ...one, where: [...within, notDeadSql(context)] }));
  const firstOrder = orderOf(first);
  const before = firstOrder === null ? within : beforePosition(context, firstOrder);
  const [last] = await session.rows(unsentRows(context, { ...one, where: before, backwards: true }));
  return last;
}
