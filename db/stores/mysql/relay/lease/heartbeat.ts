import type { Lease } from "#db/stores/port/relay/lease.ts";
import type { BeatView, RelayHeartbeat } from "#db/stores/port/relay/relay-heartbeat.ts";
import { storableText } from "#db/stores/shared/relay/storable-text.ts";
import { toShareView } from "#db/stores/shared/relay/to-share-view.ts";
import { datetimeOf } from "../../connection/instant.ts";
import { literalOf } from "../../connection/literal.ts";
import { quoteLiteral } from "../../tables/mapping-sql.ts";
import { activePauses, digestSql } from "../claim/pause-filter.ts";
import { textList } from "../literals.ts";
import { ownName, type RelayContext } from "../relay-context.ts";
import { sharesSql } from "./shares.ts";

const MANY_RETRIES = 1000;
/** Checksum: the relay reads pauses again only when they change. */
const PAUSE_COLUMNS = ["scope", "subject", "reason", "`by`", "at", "COALESCE(until, '')"];

/**
 * Writes the instance's heartbeat and reads shares, pauses and retries, once a second in one round trip, to keep an
 * idle outbox cheap. Index: primary keys of relay_instance, lease, pause and audit; delivery_due_idx.
 */
export async function writeHeartbeat(context: RelayContext, beat: RelayHeartbeat, silentMs: number): Promise<BeatView> {
  const [, shares, pauses, retries, now] = await context.sessions.urgent.single((session) =>
    session.script([
      beatStatement(context, beat),
      sharesSql(context, silentMs),
      `SELECT ${digestSql(PAUSE_COLUMNS)} ${activePauses(context)}`,
      retriesStatement(context),
      "SELECT UNIX_TIMESTAMP(SYSDATE(6)) * 1000",
    ]),
  );
  return {
    shares: toShareView(shares?.rows ?? []),
    pauses: pauses?.rows[0]?.[0] ?? "",
    retries: retries?.rows[0]?.[0] ?? "",
    databaseTimeMs: Number(now?.rows[0]?.[0] ?? 0),
  };
}

/**
 * With more than 1,000 waiting retries the sum would cost a scan every second and change with every failure of this
 * relay, which it knows already. So only operators' actions count then, by the latest audit id.
 */
function retriesStatement({ own, outbox }: RelayContext): string {
  return `SELECT CASE WHEN COUNT(*) > ${MANY_RETRIES} THEN CONCAT('many ', COALESCE((SELECT MAX(id) FROM ${ownName(own.audit)}), 0))
      ELSE CONCAT(COUNT(*), ' ', COALESCE(SUM(UNIX_TIMESTAMP(next_attempt_at)), 0)) END
    FROM (SELECT next_attempt_at FROM ${ownName(own.delivery)}
      WHERE outbox = ${quoteLiteral(outbox)} AND dead_at IS NULL AND next_attempt_at IS NOT NULL ORDER BY next_attempt_at LIMIT ${MANY_RETRIES + 1}) few`;
}

/** Smoothed over some five seconds. Assigned first: assignments after it change the columns that it reads. */
const RATE = `published_per_second = COALESCE(published_per_second, 0) * 0.7 + 0.3 * GREATEST(VALUES(published) - published, 0)
  / GREATEST(TIMESTAMPDIFF(MICROSECOND, heartbeat_at, UTC_TIMESTAMP(6)) / 1e6, 0.1)`;
/** Stays as it was at the first heartbeat. */
const KEPT = new Set(["outbox", "id", "host", "pid", "version", "started_at", "source"]);

function beatStatement({ own, outbox }: RelayContext, beat: RelayHeartbeat): string {
  const storable = (_: string, value: unknown) => (typeof value === "string" ? storableText(value) : value);
  const json = (value: unknown) => (value === null ? null : JSON.stringify(value, storable));
  const at = (date: Date | null) => (date === null ? null : datetimeOf(date.toISOString()));
  const values: Record<string, unknown> = {
    outbox,
    id: beat.id,
    host: beat.host,
    pid: beat.pid,
    version: beat.version,
    state: beat.state,
    source: beat.source,
    sink: json(beat.sink),
    published: beat.published,
    failures: beat.failures,
    in_flight: beat.inFlight,
    last_published_at: at(beat.lastPublishedAt),
    last_error: beat.lastError === null ? null : storableText(beat.lastError),
    last_error_at: at(beat.lastErrorAt),
    breaker: json(beat.breaker),
    routes: json(beat.routes),
    foreign_published: beat.foreignPublished,
    foreign_unclaimed: beat.foreignUnclaimed,
    foreign_since: at(beat.foreignSince),
    foreign_last_at: at(beat.foreignLastAt),
    clock_offset_ms: beat.clockOffsetMs,
    settling_since: at(beat.settlingSince),
    late_commits: beat.lateCommits,
    partitions: beat.partitions,
    stream: json(beat.stream),
    latency: json(beat.latency),
  };
  const entries = Object.entries(values);
  const changes = entries.filter(([name]) => !KEPT.has(name)).map(([name]) => `${name} = VALUES(${name})`);
  return `INSERT INTO ${ownName(own.relayInstance)} (started_at, heartbeat_at, ${entries.map(([name]) => name).join(", ")})
    VALUES (UTC_TIMESTAMP(6), UTC_TIMESTAMP(6), ${entries.map(([, value]) => literalOf(value)).join(", ")})
    ON DUPLICATE KEY UPDATE ${[RATE, "heartbeat_at = VALUES(heartbeat_at)", ...changes].join(", ")}`;
}

/**
 * Index: claim_outbox_idx. Race: a claim being committed right now, whose token the owner does not know yet; it is
 * younger than the 30 s limit, which exceeds the longest statement.
 */
export async function endStrayClaims(
  { own, sessions }: RelayContext,
  { lease, knownTokens }: { lease: Lease; knownTokens: readonly string[] },
): Promise<void> {
  const { outbox, owner, epoch } = lease;
  const known = knownTokens.length > 0 ? ` AND token NOT IN ${textList(knownTokens)}` : "";
  await sessions.single((session) =>
    session.run(
      `DELETE FROM ${ownName(own.claim)} WHERE outbox = ${quoteLiteral(outbox)} AND owner = ${quoteLiteral(owner)} AND epoch = ${epoch}${known}
         AND started_at < UTC_TIMESTAMP(6) - INTERVAL 30 SECOND`,
    ),
  );
}

/** Index: attempt_message_idx and audit_message_idx. */
export async function withHistory({ own, outbox, sessions }: RelayContext, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const asked = `outbox = ${quoteLiteral(outbox)} AND message_id IN ${textList(ids)}`;
  const found = await sessions.single((session) =>
    session.script(
      [own.attempt, own.audit].map((table) => `SELECT DISTINCT message_id FROM ${ownName(table)} WHERE ${asked}`),
    ),
  );
  const known = new Set(found.flatMap(({ rows }) => rows.map(([id]) => id)));
  return ids.filter((id) => known.has(id));
}
