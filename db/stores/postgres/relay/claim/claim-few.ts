import { randomUUID } from "node:crypto";
import type { ClaimRequest, ClaimResult } from "#db/stores/port/relay/claim.ts";
import { ownsAll } from "#domain/relay/partitions.ts";
import { leaseHoldsSql, termOf } from "../lease/term-sql.ts";
import type { RowReader } from "../read-row.ts";
import type { RelayContext } from "../relay-context.ts";
import { ReadPoint } from "../row-version.ts";
import { TransactionHorizon } from "../transaction-horizon.ts";
import { CLOSING, claimLock, requireHolds, XMIN } from "./claim-transaction.ts";
import { type ClaimVariant, type Once, parametersOf, variantName } from "./claimable.ts";
import { fromMeasuredRows } from "./measured-rows.ts";

/** Most messages of a claim in one round trip, which copies each payload once more. */
const FEW = 64;
/** Most messages and aggregates that it excludes: more are in memory only during a failure or a backlog. */
const MOST_EXCLUDED = 256;
/** Columns before a message's own: whether the lease holds, and the snapshot's xmin. */
const FACTS = 2;

/**
 * Reads due rows and writes their claim in one statement. Returns one row without a message if there is none or the
 * lease is lost. The snapshot of the read is also that of the facts; it is taken after the lock, as in a claim of
 * several statements. Parameters: those of `dueRows`, the claim's token, and from `term` on those of the lease.
 * Index and race: as for `claimStatement`.
 */
function claimFewStatement(context: RelayContext, reader: RowReader, variant: ClaimVariant, term: number): string {
  const columns = reader.columns.map((sql, index) => `${sql} AS c${index}`).join(", ");
  return `WITH facts AS MATERIALIZED (
  SELECT ${leaseHoldsSql(context, term)} AS holds, ${XMIN} AS xmin
), page AS MATERIALIZED (
  SELECT ${columns}, o.outbox_console_bytes::text ${fromMeasuredRows(context, variant)} AND (SELECT holds FROM facts) = 'true'
), held AS (
  INSERT INTO outbox_console.claim (token, outbox, owner, epoch, message_ids)
  SELECT $${term - 1}::uuid, $1, $${term}, $${term + 1}::bigint, array_agg(c0) FROM page HAVING count(*) > 0
)
SELECT facts.*, page.* FROM facts LEFT JOIN page ON true`;
}

/** True if so few messages arrive that one round trip is worth copying each payload once more. */
export function areFew({ claim, more }: ClaimResult): boolean {
  return !more && (claim?.messages.length ?? 0) <= FEW / 2;
}

/**
 * True unless the request asks for what only a claim of several statements answers, or excludes so much that sending
 * its parameters costs more than a round trip.
 */
export function mayBeFew(request: ClaimRequest): boolean {
  const { agedMs, wantLast, wantWriters, among, excludeIds, excludeAggregates } = request;
  const plain = agedMs === undefined && !wantLast && wantWriters !== true && among === undefined;
  return plain && excludeIds.length + excludeAggregates.length <= MOST_EXCLUDED;
}

/** `RelayTable.claimNew` in one round trip, of at most 64 messages. Throws LeaseLostError. */
export async function claimFew(
  context: RelayContext,
  reader: RowReader,
  request: ClaimRequest,
  once: Once,
): Promise<ClaimResult> {
  const limit = Math.min(request.limit, FEW);
  const token = randomUUID();
  const variant = { fromStart: request.after === null, measured: context.measures, shared: !ownsAll(request.lease) };
  const of = parametersOf(context, { ...request, limit });
  const name = `outbox_console_few_${variantName(variant).replaceAll("-", "_")}`;
  const step = {
    name,
    text: once(name, () => claimFewStatement(context, reader, variant, of.length + 2)),
    values: [...of, token, ...termOf(request.lease).slice(1)],
  };
  const [, rows = [], closed] = await context.sessions.once([claimLock(context), step, CLOSING]);
  const [holds, xmin] = rows[0] ?? [];
  requireHolds(holds);
  const point = new ReadPoint(BigInt(xmin ?? 0));
  const messages = rows.filter((row) => row[FACTS] !== null).map((row) => reader.read(row.slice(FACTS), point));
  const [xmax, databaseTimeMs] = closed?.[0] ?? [];
  return {
    claim: messages.length > 0 ? { token, messages } : null,
    more: messages.length >= limit || Number(rows.at(-1)?.at(-1) ?? 0) >= request.maxBytes,
    horizon: new TransactionHorizon(BigInt(xmin ?? 0), BigInt(xmax ?? 0), null),
    last: null,
    databaseTimeMs: Number(databaseTimeMs ?? 0),
  };
}
