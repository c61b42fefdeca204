import type { Lease } from "#db/stores/port/relay/lease.ts";
import type { BeatView, RelayHeartbeat } from "#db/stores/port/relay/relay-heartbeat.ts";
import { textArray } from "#db/stores/postgres/connection/text-array.ts";
import { storableText } from "#db/stores/shared/relay/storable-text.ts";
import { toShareView } from "#db/stores/shared/relay/to-share-view.ts";
import type { RelayContext } from "../relay-context.ts";
import { sharesSql } from "./shares.ts";
import { storedStream } from "./stored-stream.ts";

const MANY_RETRIES = 1000;

/** Checksums: the relay reads pauses and retries again only when they change. */
const PAUSES = `SELECT count(*) || ' ' || coalesce(sum(hashtextextended(concat_ws(chr(31), scope, subject, reason, by, at, until), 0)), 0)
  FROM outbox_console.pause WHERE outbox = $1 AND (until IS NULL OR until > clock_timestamp())`;
/**
 * With more than 1,000 waiting retries the sum would cost a scan every second, and change with failures of this relay
 * that it already knows. So only operators' actions count then, by the latest audit id.
 */
const RETRIES = `SELECT CASE WHEN count(*) > ${MANY_RETRIES} THEN 'many ' || coalesce((SELECT max(id) FROM outbox_console.audit), 0)
    ELSE count(*) || ' ' || coalesce(sum(extract(epoch FROM next_attempt_at)), 0) END
  FROM (SELECT next_attempt_at FROM outbox_console.delivery
    WHERE outbox = $1 AND dead_at IS NULL AND next_attempt_at IS NOT NULL ORDER BY next_attempt_at LIMIT ${MANY_RETRIES + 1}) few`;

/**
 * Writes the instance's heartbeat and reads shares, pauses and retries, once a second in one statement, to keep an idle
 * outbox cheap. The rate is smoothed over some five seconds.
 * Index: primary keys of relay_instance, lease, pause and audit; delivery_due_idx.
 */
const BEAT = `
WITH beat AS (
INSERT INTO outbox_console.relay_instance AS r (outbox, id, host, pid, version, state, source, sink, published, failures, in_flight,
  last_published_at, last_error, breaker, late_commits, latency, partitions, stream, last_error_at,
  routes, foreign_published, foreign_unclaimed, foreign_since, foreign_last_at, clock_offset_ms, settling_since)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8::json, $9, $10, $11, $12, $13, $14::json, $15, $16::bigint[], $17, $18::json, $20,
  $21::json, $22, $23, $24, $25, $26, $27)
ON CONFLICT (outbox, id) DO UPDATE SET heartbeat_at = clock_timestamp(), state = excluded.state, sink = excluded.sink,
  published = excluded.published, failures = excluded.failures, in_flight = excluded.in_flight,
  last_published_at = excluded.last_published_at, last_error = excluded.last_error,
  last_error_at = excluded.last_error_at, breaker = excluded.breaker, routes = excluded.routes,
  foreign_published = excluded.foreign_published, foreign_unclaimed = excluded.foreign_unclaimed,
  foreign_since = excluded.foreign_since, foreign_last_at = excluded.foreign_last_at,
  clock_offset_ms = excluded.clock_offset_ms, settling_since = excluded.settling_since,
  late_commits = excluded.late_commits, latency = excluded.latency, partitions = excluded.partitions, stream = excluded.stream,
  published_per_second = coalesce(r.published_per_second, 0) * 0.7 + 0.3 * greatest(excluded.published - r.published, 0)
    / greatest(extract(epoch FROM clock_timestamp() - r.heartbeat_at)::float8, 0.1))
SELECT 'share', share.id, share.count FROM (${sharesSql(19)}) AS share (id, count)
UNION ALL SELECT 'pauses', (${PAUSES}), NULL
UNION ALL SELECT 'retries', (${RETRIES}), NULL
UNION ALL SELECT 'now', (extract(epoch FROM clock_timestamp()) * 1000)::float8::text, NULL`;

export async function writeHeartbeat(context: RelayContext, beat: RelayHeartbeat, silentMs: number): Promise<BeatView> {
  const storable = (_: string, value: unknown) => (typeof value === "string" ? storableText(value) : value);
  const json = (value: unknown) => (value === null ? null : JSON.stringify(value, storable));
  const { rows } = await context.sessions.urgent.single("heartbeat", BEAT, [
    context.outbox,
    beat.id,
    beat.host,
    beat.pid,
    beat.version,
    beat.state,
    beat.source,
    json(beat.sink),
    beat.published,
    beat.failures,
    beat.inFlight,
    beat.lastPublishedAt,
    beat.lastError === null ? null : storableText(beat.lastError),
    json(beat.breaker),
    beat.lateCommits,
    `{${beat.latency.join(",")}}`,
    beat.partitions,
    json(beat.stream && storedStream(beat.stream)),
    silentMs,
    beat.lastErrorAt,
    json(beat.routes),
    beat.foreignPublished,
    beat.foreignUnclaimed,
    beat.foreignSince,
    beat.foreignLastAt,
    beat.clockOffsetMs,
    beat.settlingSince,
  ]);
  const sumOf = (kind: string) => rows.find(([of]) => of === kind)?.[1] ?? "";
  const shares = rows.filter(([kind]) => kind === "share").map(([, id, count]) => [id ?? null, count ?? null]);
  return {
    shares: toShareView(shares),
    pauses: sumOf("pauses"),
    retries: sumOf("retries"),
    databaseTimeMs: Number(sumOf("now")),
  };
}

/**
 * Index: claim_outbox_idx. Race: a claim being committed right now, whose token the owner does not know yet; it is
 * younger than the 30 s limit, which exceeds the longest statement.
 */
export async function endStrayClaims(
  context: RelayContext,
  input: { lease: Lease; knownTokens: readonly string[] },
): Promise<void> {
  const { outbox, owner, epoch } = input.lease;
  await context.sessions.single(
    "stray-claims",
    "DELETE FROM outbox_console.claim WHERE outbox = $1 AND owner = $2 AND epoch = $3 AND token <> ALL ($4::uuid[]) AND started_at < clock_timestamp() - interval '30 seconds'",
    [outbox, owner, epoch, textArray(input.knownTokens)],
  );
}

/** Index: attempt_message_idx and audit_message_idx. */
export async function withHistory(context: RelayContext, ids: readonly string[]): Promise<string[]> {
  const { rows } = await context.sessions.transaction({
    work: (session) =>
      session.query(
        "with-history",
        `SELECT asked.message FROM unnest($2::text[]) AS asked(message)
         WHERE EXISTS (SELECT FROM outbox_console.attempt a WHERE a.outbox = $1 AND a.message_id = asked.message)
            OR EXISTS (SELECT FROM outbox_console.audit a WHERE a.outbox = $1 AND a.message_id = asked.message)`,
        [context.outbox, textArray(ids)],
      ),
  });
  return rows.map(([id]) => id ?? "");
}
