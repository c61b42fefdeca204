import { DeleteItemCommand } from "@aws-sdk/client-dynamodb";
import { CRASHES_TO_DEAD_LETTER } from "#db/stores/shared/relay/quarantine.ts";
import type { Lease } from "../../../port/relay/lease.ts";
import type { SuspectEntry } from "../../../port/relay/suspect-entry.ts";
import { ORPHANED_TO_ISOLATE } from "../../../shared/relay/quarantine.ts";
import { tenAtATime } from "../../connection/ten-at-a-time.ts";
import { nowText } from "../../items/instant.ts";
import { keyItem } from "../../own-table/own-table.ts";
import { suspectKey } from "../../own-table/relay-docs.ts";
import { serverNowMs } from "../../own-table/terms.ts";
import { fetchItems } from "../fetch-items.ts";
import { identityOf } from "../item-version.ts";
import { isInTerm } from "../partition.ts";
import { candidateOf, isDue, isUnsent } from "../read-item.ts";
import type { RelayContext } from "../relay-context.ts";
import { readSuspects } from "./orphans.ts";

const HOUR_MS = 3_600_000;

/**
 * Quarantined messages, least harmful first; each is published with nothing else in flight. Forgets messages that are
 * published, dead or gone, also if another item has the id now, and single suspicions older than an hour: one relay
 * death is no evidence against a message.
 */
export async function listSuspects(context: RelayContext, lease: Lease): Promise<SuspectEntry[]> {
  const { deliveries, room } = context;
  await deliveries.refresh();
  const all = await readSuspects(context);
  const nowMs = serverNowMs(room.link);
  const old = [...all].filter(([, doc]) => doc.orphaned === 1 && Date.parse(doc.at) < nowMs - HOUR_MS);
  const isolated = [...all].filter(([, { orphaned }]) => orphaned >= ORPHANED_TO_ISOLATE);
  const items = await fetchItems(
    context,
    isolated.map(([id]) => id),
  );
  const now = nowText(nowMs);
  const isGone = (id: string) => {
    const item = items.get(id);
    const doc = deliveries.get(id);
    if (!item || !isUnsent(context, item, now) || (doc !== undefined && doc.nextAttemptAt === null)) return true;
    const accused = all.get(id)?.identity;
    return accused !== undefined && accused !== identityOf(context.mapping, item);
  };
  const forgotten = [...old.map(([id]) => id), ...isolated.map(([id]) => id).filter(isGone)];
  await tenAtATime(forgotten, (id) => forgetSuspect(context, id));
  for (const id of forgotten) all.delete(id);
  context.suspects = new Map([...all].map(([id, { orphaned }]) => [id, orphaned]));
  return isolated
    .filter(([id]) => all.has(id))
    .sort(([one, a], [other, b]) => a.crashes - b.crashes || order(a.at, b.at) || order(one, other))
    .flatMap(([id, { crashes, at }]) => {
      const item = items.get(id);
      if (!item) return [];
      const { aggregateKey, eventType, order: place } = candidateOf(context, item);
      if (!isInTerm(lease, id, aggregateKey)) return [];
      const nextAttemptAt = deliveries.get(id)?.nextAttemptAt ?? null;
      const waits = nextAttemptAt !== null && deliveries.dueInMs({ nextAttemptAt }) > 0;
      const due = !waits && isDue(context, item, now);
      const identity = identityOf(context.mapping, item);
      const killsRelays = crashes >= CRASHES_TO_DEAD_LETTER;
      return [{ id, aggregateKey, eventType, order: place, killsRelays, diedAt: new Date(at), due, identity }];
    });
}

function order(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}

async function forgetSuspect({ room: { own, link }, outbox }: RelayContext, id: string): Promise<void> {
  await link.client.send(new DeleteItemCommand({ TableName: own.name, Key: keyItem(suspectKey(outbox, id)) }));
}
