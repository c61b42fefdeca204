import type { Lease, RelayHeartbeat, ShareView } from "../relay-port.ts";
import type { RelayContext } from "./relay-context.ts";
import { sharesSql, toShareView } from "./relay-shares.ts";
import { textArray } from "./text-array.ts";

/**
 * What this process says of itself, once a second, and what it finds the others saying. The rate is smoothed over some
 * five seconds. Index: primary keys of relay_instance and lease.
 */
const BEAT = `
WITH beat AS (
INSERT INTO outbox_console.relay_instance AS r (outbox, id, host, pid, version, state, source, sink, published, failures, in_flight,
  last_published_at, last_error, breaker, late_commits, latency, partitions, stream)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8::json, $9, $10, $11, $12, $13, $14::json, $15, $16::bigint[], $17, $18::json)
ON CONFLICT (outbox, id) DO UPDATE SET heartbeat_at = clock_timestamp(), state = excluded.state, sink = excluded.sink,
  published = excluded.published, failures = excluded.failures, in_flight = excluded.in_flight,
  last_published_at = excluded.last_published_at, last_error = excluded.last_error, breaker = excluded.breaker,
  late_commits = excluded.late_commits, latency = excluded.latency, partitions = excluded.partitions, stream = excluded.stream,
  published_per_second = coalesce(r.published_per_second, 0) * 0.7 + 0.3 * greatest(excluded.published - r.published, 0)
    / greatest(extract(epoch FROM clock_timestamp() - r.heartbeat_at)::float8, 0.1))
${sharesSql(19)}`;

export async function writeHeartbeat(
  context: RelayContext,
  beat: RelayHeartbeat,
  silentMs: number,
): Promise<ShareView> {
  const json = (value: unknown) => (value === null ? null : JSON.stringify(value));
  const { rows } = await context.sessions.transaction({
    opening: ["SET LOCAL synchronous_commit = off"],
    work: (session) =>
      session.query("heartbeat", BEAT, [
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
        beat.lastError,
        json(beat.breaker),
        beat.lateCommits,
        `{${beat.latency.join(",")}}`,
        beat.partitions,
        json(beat.stream),
        silentMs,
      ]),
  });
  return toShareView(rows);
}

/**
 * Index: claim_outbox_idx. Race: a claim that is being committed right now, whose token the owner does not know yet;
 * it is younger than the longest that a statement may take.
 */
export async function endStrayClaims(
  context: RelayContext,
  input: { lease: Lease; knownTokens: readonly string[] },
): Promise<void> {
  const { outbox, owner, epoch } = input.lease;
  await context.sessions.transaction({
    work: (session) =>
      session.query(
        "stray-claims",
        "DELETE FROM outbox_console.claim WHERE outbox = $1 AND owner = $2 AND epoch = $3 AND token <> ALL ($4::uuid[]) AND started_at < clock_timestamp() - interval '30 seconds'",
        [outbox, owner, epoch, textArray(input.knownTokens)],
      ),
  });
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
