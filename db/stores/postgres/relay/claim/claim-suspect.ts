import { randomUUID } from "node:crypto";
import { decodeMessageId } from "#db/stores/port/message-id.ts";
import type { Claim } from "#db/stores/port/relay/claim.ts";
import type { Head } from "#db/stores/port/relay/head.ts";
import type { Lease } from "#db/stores/port/relay/lease.ts";
import type { OrderKey } from "#db/stores/port/relay/outgoing-message.ts";
import type { SuspectEntry } from "#db/stores/port/relay/suspect-entry.ts";
import type { RelaySession } from "#db/stores/postgres/connection/sessions.ts";
import { textArray } from "#db/stores/postgres/connection/text-array.ts";
import { besideKeys, keyMatch, quoteTable } from "#db/stores/postgres/tables/mapping-sql.ts";
import { CRASHES_TO_DEAD_LETTER } from "#db/stores/shared/relay/quarantine.ts";
import { keyParameters } from "#db/stores/shared/tables/key-parameters.ts";
import { forgetSuspects, ISOLATED } from "../lease/suspects.ts";
import { type RowReader, VERSIONED } from "../read-row.ts";
import { aggregateKey, messageId, orderSql, type RelayContext } from "../relay-context.ts";
import { identitySql, ReadPoint } from "../row-version.ts";
import { claimOpening, readOpening } from "./claim-transaction.ts";
import { claimable } from "./claimable.ts";
import { readPlaces } from "./read-positions.ts";

/** Drops single suspicions older than an hour: one relay death says nothing about a message. */
const FORGET_OLD =
  "DELETE FROM outbox_console.suspect WHERE outbox = $1 AND orphaned = 1 AND at < clock_timestamp() - interval '1 hour'";

/**
 * Quarantined messages, least harmful first; each is published with nothing else in flight. Forgets messages that are
 * published, dead or gone, also if another row has the id now. Index: primary key of suspect; the table's primary key.
 */
export async function listSuspects(context: RelayContext, lease: Lease): Promise<SuspectEntry[]> {
  return context.sessions.transaction({
    work: async (session) => {
      await session.query("suspect-old", FORGET_OLD, [context.outbox]);
      const known = await session.query(
        "suspect-known",
        "SELECT message_id FROM outbox_console.suspect WHERE outbox = $1",
        [context.outbox],
      );
      context.suspects.clear();
      for (const [id] of known.rows) context.suspects.add(id ?? "");
      if (context.suspects.size === 0) return [];
      const { rows } = await session.query("suspect-isolated", ISOLATED, [context.outbox]);
      const ids = rows.map(([id]) => id ?? "");
      const accused = new Map(rows.map(([id, , , identity]) => [id, identity]));
      const found = await readPlaces(context, session, { ids, lease });
      const same = found.filter(({ message, identity }) => identity === (accused.get(message.id) ?? identity));
      const places = new Map(same.map((place) => [place.message.id, place]));
      const gone = ids.filter((id) => !places.has(id));
      await forgetSuspects(context, session, gone);
      for (const id of gone) context.suspects.delete(id);
      return rows.flatMap(([id, crashes, at]) => {
        const place = places.get(id ?? "");
        if (!place?.mine) return [];
        const { aggregateKey: key, eventType, order } = place.message;
        const killsRelays = Number(crashes) >= CRASHES_TO_DEAD_LETTER;
        const diedAt = new Date(at ?? 0);
        const { due, identity } = place;
        return [{ id: id ?? "", aggregateKey: key, eventType, order, killsRelays, diedAt, due, identity }];
      });
    },
  });
}

/**
 * Claims one message, or an earlier message of its aggregate that was never tried and must go first. `from`: no such
 * message is before this position. `aloneAs`: the token of a claim that is marked as the only one in flight.
 * Null if the message is not due or gone, or if a suspect's id is another row's. Throws LeaseLostError.
 */
export async function claimHead(
  context: RelayContext,
  reader: RowReader,
  input: { lease: Lease; message: Head & Partial<SuspectEntry>; from: OrderKey | null; aloneAs: string | null },
): Promise<Claim | null> {
  const { message: wanted } = input;
  const keyLength = context.mapping.primaryKey.length;
  const token = input.aloneAs ?? randomUUID();
  return context.sessions.transaction({
    opening: claimOpening(context, input.lease),
    work: async (session, opened) => {
      const { xmin } = readOpening(opened);
      const id = wanted.aggregateKey === null ? wanted.id : await headOf(context, session, wanted, input.from);
      const [place] = await readPlaces(context, session, { ids: [id], lease: input.lease });
      if (!place?.due || !place.mine) return null;
      const { rows } = await session.query("head-claim", claimOneStatement(context, reader), [
        context.outbox,
        input.lease.owner,
        input.lease.epoch,
        token,
        input.aloneAs !== null,
        id === wanted.id ? (wanted.identity ?? null) : null,
        ...keyParameters([decodeMessageId(id, keyLength)], keyLength).map(textArray),
      ]);
      const [row] = rows;
      if (!row) return null;
      const { attempts, retried } = place.message;
      const message = { ...reader.read(row, new ReadPoint(xmin)), attempts };
      return { token, messages: [retried ? { ...message, retried } : message] };
    },
  });
}

/**
 * The first due, never tried message of the aggregate up to the wanted one: a message committed late must not be
 * overtaken. Index: the order of unsent rows, of which few lie between.
 */
async function headOf(
  context: RelayContext,
  session: RelaySession,
  wanted: Head,
  from: OrderKey | null,
): Promise<string> {
  const { mapping } = context;
  const order = orderSql(mapping);
  const keys = order.types.length;
  const position = (first: number) => order.types.map((type, index) => `$${first + index}::text::${type}`).join(", ");
  const lower = from ? `AND (${order.columns.join(", ")}) >= (${position(3 + keys)})` : "";
  const { rows } = await session.query(
    from ? "head-from" : "head",
    `SELECT ${messageId(mapping)} FROM ${quoteTable(mapping.table)} o
     WHERE ${claimable(context)} AND (${order.columns.join(", ")}) < (${position(3)}) ${lower} AND ${aggregateKey(context)} = $2
       AND NOT EXISTS (SELECT FROM outbox_console.delivery d WHERE d.outbox = $1 AND d.message_id = ${messageId(mapping)})
     ORDER BY ${order.orderBy} LIMIT 1`,
    [context.outbox, wanted.aggregateKey, ...wanted.order.slice(0, keys), ...(from?.slice(0, keys) ?? [])],
  );
  return rows[0]?.[0] ?? wanted.id;
}

function claimOneStatement(context: RelayContext, reader: RowReader): string {
  const { mapping } = context;
  return `
WITH page AS MATERIALIZED (
  SELECT ${reader.columns.map((sql, index) => `${sql} AS c${index}`).join(", ")}
  FROM (SELECT ${VERSIONED} FROM ${quoteTable(mapping.table)} o WHERE ${keyMatch(mapping, "o", 7)}
    AND ${besideKeys(`${claimable(context)} AND CASE WHEN $6::text IS NULL THEN true ELSE ${identitySql(mapping)} = $6 END`)}) o
), held AS (
  INSERT INTO outbox_console.claim (token, outbox, owner, epoch, message_ids, alone)
  SELECT $4::uuid, $1, $2, $3::bigint, array_agg(c0), $5::boolean FROM page HAVING count(*) > 0
  RETURNING token
)
SELECT page.* FROM page, held`;
}
