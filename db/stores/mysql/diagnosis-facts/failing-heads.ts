import { and, eq, gt, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import type { Session } from "../connection/session.ts";

/** Condition of the delivery rows of failed messages that will be tried again. */
function isFailing({ own: { delivery } }: Session, outbox: string): SQL {
  const failing = and(eq(delivery.outbox, outbox), isNull(delivery.deadAt), gt(delivery.attempts, 0));
  return sql`${and(failing, isNotNull(delivery.aggregateKey))}`;
}

/** A subquery with the keys of aggregates whose head has failed. */
export function failingHeads(session: Session, outbox: string): SQL {
  const { delivery } = session.own;
  return sql`(SELECT DISTINCT ${delivery.aggregateKey} FROM ${delivery} WHERE ${isFailing(session, outbox)})`;
}
