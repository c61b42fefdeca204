import { and, desc, eq, getTableColumns, gt, ne, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/mysql-core";
import { RETIRED } from "#db/stores/shared/own-tables/retired-relays.ts";
import type { StreamState } from "../../port/relay/relay-heartbeat.ts";
import type { LeaseRow, RelayRow } from "../../port/relay-rows.ts";
import type { Session } from "../connection/session.ts";
import { ageSeconds, asFlag, NOW } from "../tables/column-values.ts";

const MOST_RELAYS = 50;

/**
 * Instances with a heartbeat within the last day, and the last one however long ago that was; owners first, at most 50.
 */
export async function listRelayRows({ db, own: { relayInstance } }: Session, outbox: string): Promise<RelayRow[]> {
  const newest = alias(relayInstance, "newest");
  const last = db
    .select({ at: sql`max(${newest.heartbeatAt})` })
    .from(newest)
    .where(eq(newest.outbox, outbox));
  const isListed = or(
    gt(relayInstance.heartbeatAt, sql`${NOW} - INTERVAL 1 DAY`),
    sql`${relayInstance.heartbeatAt} = ${last}`,
  );
  const rows = await db
    .select({
      ...getTableColumns(relayInstance),
      heartbeatAgeSeconds: ageSeconds(sql`${relayInstance.heartbeatAt}`) as SQL<number>,
    })
    .from(relayInstance)
    .where(and(eq(relayInstance.outbox, outbox), ne(relayInstance.id, RETIRED), isListed))
    .orderBy(sql`${relayInstance.state} <> 'owner'`, desc(relayInstance.heartbeatAt))
    .limit(MOST_RELAYS);
  return rows.map(({ sink, breaker, routes, latency, stream, ...row }) => ({
    ...row,
    sink: sink as RelayRow["sink"],
    breaker: breaker as RelayRow["breaker"],
    routes: routes as RelayRow["routes"],
    latency: latency as number[],
    stream: readingOf(stream as StreamState | null),
  }));
}

/** As of the last heartbeat, because only the relay asks the server how much is left to read. */
function readingOf(stream: StreamState | null): RelayRow["stream"] {
  if (stream === null) return null;
  const { name, lag, state, connected, since, problem = null } = stream;
  const walStatus = { ok: null, at_risk: "unreserved", lost: "lost" }[state];
  return { reader: "binlog", slot: name, lagBytes: lag?.value ?? null, walStatus, connected, since, problem };
}

export async function listLeaseRows({ db, own: { lease } }: Session, outbox: string): Promise<LeaseRow[]> {
  const expired = sql`${lease.until} <= ${NOW}`;
  const rows = await db
    .select({
      partition: lease.partition,
      owner: lease.owner,
      epoch: lease.epoch,
      until: lease.until,
      expired: asFlag(expired),
    })
    .from(lease)
    .where(eq(lease.outbox, outbox))
    .orderBy(expired, lease.partition);
  const terms = Map.groupBy(rows, (row) => JSON.stringify([row.owner, row.expired]));
  return [...terms.values()].map((ofTerm) => ({
    outbox,
    partitions: ofTerm.map(({ partition }) => partition),
    owner: ofTerm[0]?.owner ?? "",
    epoch: Math.max(...ofTerm.map(({ epoch }) => epoch)),
    until: ofTerm.map(({ until }) => until).sort()[0] ?? "",
    expired: ofTerm[0]?.expired ?? true,
  }));
}
