import { ConditionalCheckFailedException, DeleteItemCommand } from "@aws-sdk/client-dynamodb";
import type { RestoredDoc } from "../items/moved.ts";
import { readFingerprints } from "./mapping-fingerprints.ts";
import { keyItem, type OwnTable, PARTITIONS, queryRecords, unchanged } from "./own-table.ts";
import { serverNowMs } from "./terms.ts";

const DAY_MS = 86_400_000;
const MOST_LOOKED_AT = 10_000;

/** Deletes at most `batch` older records of restores, of every outbox; returns how many. */
export async function deleteOldRestored(own: OwnTable, keepDays: number, batch: number): Promise<number> {
  const before = serverNowMs(own.link) - keepDays * DAY_MS;
  let gone = 0;
  for (const outbox of (await readFingerprints(own)).keys()) {
    const pk = PARTITIONS.restored(outbox);
    const { records } = await queryRecords<RestoredDoc>(own, { pk, limit: MOST_LOOKED_AT });
    const old = records.filter(({ doc }) => Date.parse(doc.at) < before);
    for (const { sk, v } of old.slice(0, batch - gone)) if (await deleteOne(own, { pk, sk }, v)) gone += 1;
    if (gone >= batch) break;
  }
  return gone;
}

/** False if it was written again meanwhile. */
async function deleteOne(own: OwnTable, key: { pk: string; sk: string }, v: string): Promise<boolean> {
  try {
    await own.link.client.send(new DeleteItemCommand({ TableName: own.name, Key: keyItem(key), ...unchanged(v) }));
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}
