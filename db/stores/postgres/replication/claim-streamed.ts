import { randomUUID } from "node:crypto";
import { keyColumns } from "../../port/message-id.ts";
import { type Lease, LeaseLostError } from "../../port/relay/lease.ts";
import type { OrderKey, OutgoingMessage } from "../../port/relay/outgoing-message.ts";
import type { Notice, RelayStream, StreamClaim } from "../../port/relay/relay-stream.ts";
import type { OneTripStep } from "../connection/sessions.ts";
import { textArray } from "../connection/text-array.ts";
import { claimable } from "../relay/claim/claimable.ts";
import { notDeadSql } from "../relay/claim/not-dead.ts";
import { notIsolatedSql } from "../relay/claim/not-isolated.ts";
import { pausedTypes, typeGoesSql } from "../relay/claim/pause-filter.ts";
import { leaseHolds } from "../relay/lease/term-sql.ts";
import { type RowReader, VERSIONED } from "../relay/read-row.ts";
import { messageId, type RelayContext } from "../relay/relay-context.ts";
import { ReadPoint } from "../relay/row-version.ts";
import { besideKeys, keyMatch, quoteTable } from "../tables/mapping-sql.ts";
import { outboxLockSql } from "../tables/outbox-lock.ts";
import { transactionOf } from "./log-transaction.ts";
import { parseSnapshot, sees } from "./snapshot.ts";

/**
 * Also claims for an expired term that has not been ended: an empty claim must mean that there is nothing to send, and
 * the lease may be renewed before it is checked. The epoch is only raised under the exclusive form of the lock that
 * this claim shares.
 */
const insertClaim = ({
  mappingHolds,
}: RelayContext) => `INSERT INTO outbox_console.claim (token, outbox, owner, epoch, message_ids)
  SELECT $4::uuid, $1, $2, $3::bigint, array_agg(c0) FROM page
  WHERE EXISTS (SELECT FROM outbox_console.lease l WHERE l.outbox = $1 AND l.owner = $2 AND l.epoch = $3::bigint)
    AND ${mappingHolds}
  HAVING count(*) > 0 RETURNING token`;

/**
 * Claims noticed rows that are still unsent, in their current version: changes since the insert are sent.
 * Index: the primary key.
 * Race: an operator's verb on the same rows; as in a polling claim, an earlier statement takes the advisory lock.
 */
function claimRowsStatement(context: RelayContext, reader: RowReader): string {
  const { mapping } = context;
  return `WITH page AS MATERIALIZED (
  SELECT ${reader.columns.map((sql, index) => `${sql} AS c${index}`).join(", ")} FROM (SELECT ${VERSIONED} FROM ${quoteTable(mapping.table)} o
  WHERE ${keyMatch(mapping, "o", 5)} AND ${besideKeys(claimable(context))}
    AND ${notDeadSql(messageId(mapping))}
    AND ${notIsolatedSql(messageId(mapping))} AND ${typeGoesSql(context, 5 + mapping.primaryKey.length)}) o
), held AS (${insertClaim(context)})
SELECT page.* FROM page, held`;
}

/**
 * The same for a table whose rows have no mark and may be gone: claims every message unknown to the store side. A
 * record of another place in the log is of an earlier message of the id. Index: primary keys of the four tables.
 * `restored`: a row that an operator restored is no new message.
 */
const claimIdsStatement = (context: RelayContext) => `WITH page AS MATERIALIZED (
  SELECT n.id AS c0 FROM unnest($5::text[], $6::text[], $7::text[]) AS n(id, place, ordinal)
  WHERE NOT EXISTS (SELECT FROM outbox_console.delivery x WHERE x.outbox = $1 AND x.message_id = n.id
      AND x.order_key = ARRAY[n.place, n.ordinal])
    AND NOT EXISTS (SELECT FROM outbox_console.dead_letter x WHERE x.outbox = $1 AND x.message_id = n.id)
    AND NOT EXISTS (SELECT FROM outbox_console.archive x WHERE x.outbox = $1 AND x.message_id = n.id)
    AND NOT EXISTS (SELECT FROM outbox_console.restored x WHERE x.outbox = $1 AND x.message_id = n.id)
), held AS (${insertClaim(context)})
SELECT page.* FROM page, held`;

/** `RelayStream.claim` of one outbox: one round trip. */
export function createStreamClaim(context: RelayContext, reader: RowReader, rows: boolean): RelayStream["claim"] {
  const steps = claimSteps(context, reader, rows);
  return async ({ lease, notices }) => {
    const token = randomUUID();
    const ids = notices.map((notice) => notice.id);
    const places = notices.map((notice) => notice.order);
    const [opened, page] = await context.sessions.once(steps({ lease, token, ids, places }));
    // An empty claim means a lost term or nothing to send; check which.
    if (page?.length === 0) await requireLease(context, lease);
    const snapshot = opened?.[0]?.[1] ?? "";
    const point = new ReadPoint(parseSnapshot(snapshot).xmin);
    const found = new Map<string, OutgoingMessage>();
    for (const row of page ?? []) {
      const message = rows ? reader.read(row, point) : null;
      found.set(row[0] ?? "", message ?? NOTHING);
    }
    return resultOf(notices, found, { token, snapshot, rows });
  };
}

/**
 * Takes the lock and a snapshot that is not later than the claim's, so the claim saw everything that this snapshot
 * sees. No fsync: if a server crash loses a claim, its settle is fenced.
 */
function openingStatement(outbox: string): string {
  return `${outboxLockSql(outbox, "shared")}, pg_current_snapshot()::text, set_config('synchronous_commit', 'off', true)`;
}

type ClaimSteps = (claim: {
  lease: Pick<Lease, "owner" | "epoch">;
  token: string;
  ids: readonly string[];
  /** Of the messages in the log. */
  places: readonly OrderKey[];
}) => OneTripStep[];

/** An empty claim that prepares the statements on new connections. */
export function emptyClaim(context: RelayContext, reader: RowReader, rows: boolean): OneTripStep[] {
  return claimSteps(
    context,
    reader,
    rows,
  )({ lease: { owner: "", epoch: 0 }, token: randomUUID(), ids: [], places: [] });
}

/** `rows`: the messages are in the table. */
function claimSteps(context: RelayContext, reader: RowReader, rows: boolean): ClaimSteps {
  const keyLength = rows ? context.mapping.primaryKey.length : 1;
  const opening = { name: "outbox_console_open", text: openingStatement(context.outbox), values: [] };
  const claim = {
    name: `outbox_console_${rows ? "rows" : "ids"}`,
    text: rows ? claimRowsStatement(context, reader) : claimIdsStatement(context),
  };
  return ({ lease, token, ids, places }) => {
    const values = [
      ...[context.outbox, lease.owner, String(lease.epoch), token],
      ...(rows ? keyColumns(ids, keyLength) : [ids]).map(textArray),
      ...(rows
        ? pausedTypes(context)
        : [textArray(places.map(([place]) => place)), textArray(places.map(([, ordinal]) => ordinal))]),
    ];
    return [opening, { ...claim, values }];
  };
}

async function requireLease(context: RelayContext, lease: Lease): Promise<void> {
  const [holds] = await context.sessions.once([leaseHolds(context, lease)]);
  if (holds?.[0]?.[0] !== "true") throw new LeaseLostError("The lease of this relay is over.");
}

const NOTHING = {} as OutgoingMessage;

function resultOf(
  notices: readonly Notice[],
  found: ReadonlyMap<string, OutgoingMessage>,
  { token, snapshot, rows }: { token: string; snapshot: string; rows: boolean },
): StreamClaim {
  const messages: OutgoingMessage[] = [];
  const unseen: string[] = [];
  const seen = rows && found.size < notices.length ? parseSnapshot(snapshot) : null;
  const taken = new Set<string>();
  for (const { id, message, transaction } of notices) {
    const row = found.get(id);
    if (row && !taken.has(id)) {
      taken.add(id);
      messages.push(rows ? row : (message ?? row));
    } else if (!row && seen && !sees(seen, transactionOf(transaction).xid)) unseen.push(id);
  }
  return { claim: messages.length > 0 ? { token, messages } : null, unseen };
}
