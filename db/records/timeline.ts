import { and, desc, gte, inArray, isNull, like, lt, or, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Pool } from "pg";
import type { AlertRow } from "./alerts.ts";
import { instant } from "./instants.ts";
import { alertDelivery, audit, finding } from "./schema.ts";

/** From, inclusive, to, exclusive. */
export interface TimeSpan {
  from: string;
  to: string;
  /** Of these outboxes only; null: of all. Decisions without an outbox are read either way. */
  outboxes: readonly string[] | null;
  limit: number;
}

export interface SpanFinding {
  outbox: string;
  rule: string;
  since: string;
  closedAt: string | null;
  /** A finding without outbox, rule and since. */
  detail: unknown;
}

export type SpanAlert = Pick<
  AlertRow,
  "webhook" | "outbox" | "event" | "status" | "summary" | "at" | "deliveredAt" | "error"
>;

export interface SpanAct {
  at: string;
  actor: string;
  action: string;
  outbox: string | null;
  reason: string | null;
  detail: string | null;
}

/** Entries of the console's own records within a time, each newest first. */
export interface SpanRecords {
  findings: SpanFinding[];
  alerts: SpanAlert[];
  /** Decisions about failure groups. */
  groupActs: SpanAct[];
}

/** A finding that was open for longer before the span is left out, so that the index bounds the read. */
const OPEN_BEFORE = sql`interval '7 days'`;

/** Uses finding_time_idx, alert_delivery_time_idx and audit_time_idx. */
export async function readSpan(pool: Pool, { from, to, outboxes, limit }: TimeSpan): Promise<SpanRecords> {
  const of = (column: PgColumn) => (outboxes === null ? undefined : inArray(column, [...outboxes]));
  const db = drizzle(pool);
  const findings = await db
    .select({
      outbox: finding.outbox,
      rule: finding.rule,
      since: instant<string>(finding.since),
      closedAt: instant<string | null>(finding.closedAt),
      detail: finding.detail,
    })
    .from(finding)
    .where(
      and(
        of(finding.outbox),
        gte(finding.since, sql`${from}::timestamptz - ${OPEN_BEFORE}`),
        lt(finding.since, to),
        or(gte(finding.since, from), gte(finding.closedAt, from)),
      ),
    )
    .orderBy(desc(finding.since))
    .limit(limit);
  const alerts = await db
    .select({
      webhook: alertDelivery.webhook,
      outbox: alertDelivery.outbox,
      event: sql<SpanAlert["event"]>`${alertDelivery.event}`,
      status: sql<SpanAlert["status"]>`${alertDelivery.status}`,
      summary: alertDelivery.summary,
      at: instant<string>(alertDelivery.at),
      deliveredAt: instant<string | null>(alertDelivery.deliveredAt),
      error: alertDelivery.error,
    })
    .from(alertDelivery)
    .where(and(of(alertDelivery.outbox), gte(alertDelivery.at, from), lt(alertDelivery.at, to)))
    .orderBy(desc(alertDelivery.at))
    .limit(limit);
  const groupActs = await db
    .select({
      at: instant<string>(audit.at),
      actor: audit.actor,
      action: audit.action,
      outbox: audit.outbox,
      reason: audit.reason,
      detail: audit.detail,
    })
    .from(audit)
    .where(
      and(
        outboxes === null ? undefined : or(isNull(audit.outbox), of(audit.outbox)),
        gte(audit.at, from),
        lt(audit.at, to),
        like(audit.action, "group.%"),
      ),
    )
    .orderBy(desc(audit.at))
    .limit(limit);
  return { findings, alerts, groupActs };
}
