import { PARTITIONS } from "#domain/relay/partitions.ts";
import type { ShareView } from "../../../port/relay/share-view.ts";
import { listInstances } from "../../own-table/instances.ts";
import { readTerms, serverNowMs } from "../../own-table/terms.ts";
import type { RelayContext } from "../relay-context.ts";

/**
 * The participating instances and the partitions of each owner. Instances that are holding or paused take part;
 * stopping ones do not, nor those that read the stream.
 */
export async function readShares({ room: { own, link }, outbox }: RelayContext, silentMs: number): Promise<ShareView> {
  const [instances, terms] = await Promise.all([listInstances(own, outbox), readTerms(own, outbox)]);
  const nowMs = serverNowMs(link);
  const present = instances
    .filter(({ doc }) => doc.source === "polling" && doc.state !== "stopping" && doc.state !== "stopped")
    .filter(({ doc }) => Date.parse(doc.heartbeatAt) > nowMs - silentMs);
  const orderings = new Map(
    present.flatMap(({ sk, doc }) => (doc.sink.ordering === undefined ? [] : [[sk, doc.sink.ordering] as const])),
  );
  const owned = new Map<string, number>();
  for (const { owner, partitions, untilMs } of terms)
    if (untilMs > nowMs) owned.set(owner, (owned.get(owner) ?? 0) + partitions.length);
  const taken = [...owned.values()].reduce((sum, count) => sum + count, 0);
  return { members: present.map(({ sk }) => sk), orderings, owned, free: PARTITIONS - taken };
}
