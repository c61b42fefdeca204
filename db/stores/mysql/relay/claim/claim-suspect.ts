import { randomUUID } from "node:crypto";
import type { Claim } from "#db/stores/port/relay/claim.ts";
import type { Head } from "#db/stores/port/relay/head.ts";
import type { Lease } from "#db/stores/port/relay/lease.ts";
import type { OrderKey } from "#db/stores/port/relay/outgoing-message.ts";
import type { SuspectEntry } from "#db/stores/port/relay/suspect-entry.ts";
import { CRASHES_TO_DEAD_LETTER } from "#db/stores/shared/relay/quarantine.ts";
import { rfc3339 } from "../../connection/instant.ts";
import type { Session } from "../../connection/session.ts";
import { exact, forced, quoteLiteral, quoteTable, unsentPredicate } from "../../tables/mapping-sql.ts";
import { forgetSuspects, isolatedStatement } from "../lease/suspects.ts";
import { hasId } from "../literals.ts";
import type { RowReader } from "../read-row.ts";
import { aggregateKey, messageId, messageIdBytes, ownName, type RelayContext } from "../relay-context.ts";
import { identitySql } from "../row-version.ts";
import { unsentRows } from "../waiting-rows.ts";
import { claimOpening, insertClaim, readOpening } from "./claim-transaction.ts";
import { isDue } from "./claimable.ts";
import { beforePosition } from "./positions.ts";
import { readPlaces } from "./read-positions.ts";

/**
 * Quarantined messages, least harmful first; each is published with nothing else in flight. Forgets messages that are
 * published, dead or gone, also if another row has the id now, and single suspicions older than an hour: one relay
 * death is no evidence against a message. Index: primary key of suspect; the table's primary key.
 */
export async function listSuspects(context: RelayContext, lease: Lease): Promise<SuspectEntry[]> {
  const suspect = ownName(context.own.suspect);
  const ofOutbox = `outbox = ${quoteLiteral(context.outbox)}`;
  return context.sessions.transaction(
    async (session, [, known, isolated]) => {
      context.suspects.clear();
      for (const [id] of known?.rows ?? []) context.suspects.add(id ?? "");
      const rows = isolated?.rows ?? [];
      if (rows.length === 0) return [];
      const ids = rows.map(([id]) => id ?? "");
      const found = await readPlaces(context, session, { ids, lease });
      const accused = new Map(rows.map(([id, , , identity]) => [id, identity]));
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
        const diedAt = new Date(rfc3339(at ?? ""));
        const { due, identity } = place;
        return [{ id: id ?? "", aggregateKey: key, eventType, order, killsRelays, diedAt, due, identity }];
      });
    },
    {
      opening: [
        `DELETE FROM ${suspect} WHERE ${ofOutbox} AND orphaned = 1 AND at < UTC_TIMESTAMP(6) - INTERVAL 1 HOUR`,
        `SELECT message_id FROM ${suspect} WHERE ${ofOutbox}`,
        isolatedStatement(context),
      ],
    },
  );
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
  const { message: wanted, lease, aloneAs } = input;
  const token = aloneAs ?? randomUUID();
  return context.sessions.transaction(
    async (session, opened, close) => {
      readOpening(opened);
      const id = wanted.aggregateKey === null ? wanted.id : await headOf(context, session, wanted, input.from);
      const [place] = await readPlaces(context, session, { ids: [id], lease });
      if (!place?.due || !place.mine) return null;
      const [row] = await session.rows(
        rowStatement(context, reader, { id, identity: id === wanted.id ? wanted.identity : null }),
      );
      if (!row) return null;
      await close([insertClaim(context, lease, { token, ids: [id], alone: aloneAs !== null })]);
      const { attempts, retried } = place.message;
      const message = { ...reader.read(row), attempts };
      return { token, messages: [retried ? { ...message, retried } : message] };
    },
    { opening: claimOpening(context, lease) },
  );
}

/**
 * The first due, never tried message of the aggregate up to the wanted one: a message committed late must not be
 * overtaken. Index: the order of unsent rows, of which few lie between.
 */
async function headOf(context: RelayContext, session: Session, wanted: Head, from: OrderKey | null): Promise<string> {
  const { mapping, own, outbox } = context;
  const triedBefore = `SELECT 1 FROM ${ownName(own.delivery)} d WHERE d.outbox = ${quoteLiteral(outbox)} AND d.message_id = ${messageIdBytes(mapping)}`;
  const rows = await session.rows(
    unsentRows(context, {
      select: [messageId(mapping)],
      after: from,
      where: [
        ...beforePosition(context, wanted.order),
        isDue(context),
        `${exact(aggregateKey(context))} = ${quoteLiteral(wanted.aggregateKey ?? "")}`,
        `(${triedBefore}) IS NULL`,
      ],
      limit: 1,
    }),
  );
  return rows[0]?.[0] ?? wanted.id;
}

/** Index: the table's primary key. */
function rowStatement(
  context: RelayContext,
  reader: RowReader,
  { id, identity }: { id: string; identity: unknown },
): string {
  const { mapping, facts } = context;
  const isIt = typeof identity === "string" ? ` AND ${identitySql(context)} = ${quoteLiteral(identity)}` : "";
  return `SELECT ${reader.columns.join(", ")} FROM ${quoteTable(mapping.table)} o${forced(facts.keyIndex)}
    WHERE ${hasId(mapping, [id])} AND CASE WHEN ${unsentPredicate(mapping, "o")} AND ${isDue(context)}${isIt} THEN TRUE ELSE FALSE END`;
}
