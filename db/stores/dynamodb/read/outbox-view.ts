import type { AppError } from "#domain/errors.ts";
import type { MessageRow } from "../../port/message-row.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import type { OrderKey } from "../../port/relay/outgoing-message.ts";
import { StoreError } from "../../port/store-error.ts";
import type { Item } from "../items/item.ts";
import type { Kept, Reading } from "../items/item-source.ts";
import { idOf } from "../items/message-key.ts";
import type { OwnRecord } from "../own-table/own-table.ts";
import type { DeliveryDoc } from "../own-table/relay-docs.ts";
import type { HeldClaim } from "../own-table/terms.ts";
import { orderComparison } from "../relay/compare-order.ts";
import { candidateOf } from "../relay/read-item.ts";
import type { Room } from "../room.ts";
import { rowOfArchived, rowOfDead, rowOfItem } from "./message-row.ts";

export interface Entry {
  row: MessageRow;
  /** Null for a message whose item has left the team's table. */
  item: Item | null;
}

/** One reading of an outbox with the state of each message, and how much of the outbox it covers. */
export interface OutboxView {
  entries: Entry[];
  covers: Reading["covers"];
  fromIndex: boolean;
  whole: boolean;
  tableItems: number;
  tableBytes: number;
  /** All dead letters, all records of failed messages, and all archived messages were read. */
  deadComplete: boolean;
  deliveriesComplete: boolean;
  archiveComplete: boolean;
  kept: Kept;
  /** Ids of messages that an operator has brought back or retried. */
  returned: ReadonlySet<string>;
  asOf: string;
}

/** Throws StoreError `missing` without the table. */
export async function readView({ ref, source }: Room): Promise<OutboxView> {
  const reading = await source.read();
  if (!reading) throw tableMissing(ref.mapping.table.schema);
  const { items, units: _, asOf, kept, ...about } = reading;
  const { dead, archived, restored, deliveries, claims } = kept;
  const recorded = dead.records.filter(({ doc }) => !doc.moved);
  const deadById = new Map(recorded.map((record) => [record.sk, record]));
  const restoredById = new Map(restored.records.map((record) => [record.sk, record]));
  const deliveryById = new Map(deliveries.records.map((record) => [record.sk, record]));
  const claimById = claimsById(claims);
  const inTable = items.map((item): Entry => {
    const id = idOf(item, ref.mapping);
    const ours = { delivery: deliveryById.get(id), claim: claimById.get(id) };
    const beside = { dead: deadById.get(id), restored: restoredById.get(id), ...ours };
    return { item, row: rowOfItem(ref, item, beside, asOf) };
  });
  tellBlocked(ref, inTable, deliveryById);
  const letters = dead.records.filter(({ doc }) => doc.moved).map((record) => rowOfDead(ref, record, asOf));
  const archive = archived.records.map((record) => rowOfArchived(ref, record, asOf));
  return {
    ...about,
    entries: [...inTable, ...[...letters, ...archive].map((row) => ({ row, item: null }))],
    deadComplete: dead.complete,
    deliveriesComplete: deliveries.complete,
    archiveComplete: archived.complete,
    kept,
    returned: new Set(restoredById.keys()),
    asOf,
  };
}

/** The live claim of a message, otherwise one that has expired. */
export function claimsById(claims: readonly HeldClaim[]): Map<string, HeldClaim> {
  const byId = new Map<string, HeldClaim>();
  for (const claim of [...claims].sort((one, other) => Number(one.lives) - Number(other.lives)))
    for (const id of claim.left) byId.set(id, claim);
  return byId;
}

/** Names the failed head behind which a message waits. */
function tellBlocked(
  ref: OutboxRef,
  entries: readonly Entry[],
  deliveries: ReadonlyMap<string, OwnRecord<DeliveryDoc>>,
): void {
  const compare = orderComparison(ref.mapping);
  const heads = new Map<string, { id: string; order: OrderKey }>();
  for (const { row } of entries) {
    const doc = deliveries.get(row.id)?.doc;
    if (!doc || row.state !== "failed" || doc.aggregateKey === null) continue;
    const known = heads.get(doc.aggregateKey);
    if (!known || compare(doc.order, known.order) < 0) heads.set(doc.aggregateKey, { id: row.id, order: doc.order });
  }
  if (heads.size === 0) return;
  for (const { row, item } of entries) {
    if (row.state !== "pending" || !item) continue;
    const { aggregateKey, order } = candidateOf({ mapping: ref.mapping, lanes: true }, item);
    const head = aggregateKey === null ? undefined : heads.get(aggregateKey);
    if (head && compare(head.order, order) < 0) row.blockedBy = head.id;
  }
}

export function tableMissing(table: string): AppError {
  return new StoreError("missing", "unavailable", `The table ${table} does not exist.`, {});
}
