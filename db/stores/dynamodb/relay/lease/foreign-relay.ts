import type { Lease } from "../../../port/relay/lease.ts";
import { instantOf } from "../../items/instant.ts";
import { type Item, textOf } from "../../items/item.ts";
import { readItems } from "../../items/read-items.ts";
import { listInstances } from "../../own-table/instances.ts";
import { serverNowMs } from "../../own-table/terms.ts";
import { isInTerm } from "../partition.ts";
import { candidateOf } from "../read-item.ts";
import type { RelayContext } from "../relay-context.ts";

const MINUTE_MS = 60_000;
const MOST_NAMED = 1_000;

/**
 * Items published in the last minute while none of our relays published; 0 if no attribute says when, or if the table
 * is too large to be read for it: published items are in no index.
 */
export async function foreignPublishes(context: RelayContext): Promise<number> {
  const { room, outbox } = context;
  const nowMs = serverNowMs(room.link);
  const since = nowMs - 2 * MINUTE_MS;
  const ours = (await listInstances(room.own, outbox)).some(
    ({ doc }) =>
      Date.parse(doc.lastPublishedAt ?? "") > since || (doc.state === "owner" && Date.parse(doc.heartbeatAt) > since),
  );
  return ours ? 0 : (await recentItems(context, MINUTE_MS)).length;
}

/** `RelayTable.recentlyPublished`. */
export async function recentlyPublished(
  context: RelayContext,
  { lease, windowMs }: { lease: Lease; windowMs: number },
): Promise<readonly string[]> {
  if (context.mapping.lifecycle.kind !== "timestamp") return [];
  return (await recentItems(context, windowMs))
    .map((item) => candidateOf(context, item))
    .filter(({ id, aggregateKey }) => isInTerm(lease, id, aggregateKey))
    .slice(0, MOST_NAMED)
    .map(({ id }) => id);
}

async function recentItems({ room, mapping }: RelayContext, windowMs: number): Promise<Item[]> {
  const { lifecycle, columns } = mapping;
  const column = lifecycle.kind === "timestamp" ? lifecycle.column : columns.publishedAt;
  if (!column?.time) return [];
  const read = await readItems(room.link, room.family, { onlySmall: true });
  if (read?.covers !== "all") return [];
  const nowMs = serverNowMs(room.link);
  return read.items.filter((item) => {
    const atMs = Date.parse(instantOf(textOf(item[column.name]), column.time) ?? "");
    return atMs > nowMs - windowMs && atMs <= nowMs + MINUTE_MS;
  });
}
