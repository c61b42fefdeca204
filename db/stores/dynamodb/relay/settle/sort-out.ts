import { GetItemCommand } from "@aws-sdk/client-dynamodb";
import type { Head } from "../../../port/relay/head.ts";
import type { Lease } from "../../../port/relay/lease.ts";
import type { SettleEntry } from "../../../port/relay/settle.ts";
import { isSameMessage } from "../../../shared/relay/same-message.ts";
import { nowText } from "../../items/instant.ts";
import { keyItem } from "../../own-table/own-table.ts";
import { claimKey } from "../../own-table/relay-docs.ts";
import { serverNowMs } from "../../own-table/terms.ts";
import { fetchItems } from "../fetch-items.ts";
import { versionOf } from "../item-version.ts";
import { isUnsent, messageOf } from "../read-item.ts";
import type { RelayContext } from "../relay-context.ts";

interface Sorted {
  /** Still to be written. */
  open: SettleEntry[];
  /** Published, and marked by an earlier settle of ours. */
  marked: SettleEntry[];
  fenced: SettleEntry[];
  foreign: SettleEntry[];
  /** Unsent items that replaced claimed ones, whose entries are in `foreign` or `marked`. */
  replaced: Head[];
  claimGone: boolean;
}

/**
 * Why a settle was refused: its claim is gone, a message is not in it any more, or another program has published or
 * replaced a message's item.
 */
export async function sortOut(
  context: RelayContext,
  {
    lease,
    token,
    entries,
    afterDoubt,
  }: { lease: Lease; token: string; entries: readonly SettleEntry[]; afterDoubt: boolean },
): Promise<Sorted> {
  const { own, link } = context.room;
  const Key = keyItem(claimKey(context.outbox, lease.epoch, token));
  const { Item: claim } = await link.client.send(
    new GetItemCommand({ TableName: own.name, Key, ConsistentRead: true }),
  );
  const sorted: Sorted = { open: [], marked: [], fenced: [], foreign: [], replaced: [], claimGone: !claim };
  if (!claim) return { ...sorted, fenced: [...entries] };
  const done = new Set(claim.done?.SS ?? []);
  const ids = entries.map(({ message }) => message.id);
  const items = await fetchItems(context, ids);
  const now = nowText(serverNowMs(link));
  for (const entry of entries) {
    const { outcome, message } = entry;
    const item = items.get(message.id);
    const fails = outcome.kind === "failed" || outcome.kind === "dead";
    const gone = !item || !isUnsent(context, item, now);
    if (outcome.kind === "given_back") sorted.open.push(entry);
    else if (fails && done.has(message.id)) sorted.fenced.push(entry);
    else if (!gone && isSameMessage(messageOf(context, item), message))
      sorted.open.push({ ...entry, message: { ...message, version: versionOf(context.mapping, item) } });
    else if (outcome.kind === "published" && afterDoubt) sorted.marked.push(entry);
    else sorted.foreign.push(entry);
    const settled = sorted.foreign.at(-1) === entry || sorted.marked.at(-1) === entry;
    if (!gone && settled) {
      const { id, aggregateKey, order } = messageOf(context, item);
      sorted.replaced.push({ id, aggregateKey, order });
    }
  }
  return sorted;
}
