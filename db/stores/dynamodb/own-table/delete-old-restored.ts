import { ConditionalCheckFailedException, DeleteItemCommand } from "@aws-sdk/client-dynamodb";
import type { RestoredDoc } from "../items/moved.ts";
import { readFingerprints } from "./mapping-fingerprints.ts";
import { keyItem, type OwnTable, PARTITIONS, queryRecords, unchanged } from "./own-table.ts";
import { serverNowMs } from "./terms.ts";

const DAY_MS = 86_400_000;
const PAGE = 1_000;
/** Pages that one call reads of one outbox. */
const MOST_PAGES = 100;

export type DeleteOldRestored = (keepDays: number, batch: number) => Promise<number>;

/**
 * Deletes at most `batch` older records of restores, of every outbox; returns how many. The records are in the order of
 * their ids, so all of them are looked at: a call goes on where the last one ended, and begins again after the last
 * record.
 */
export function createRestoredCleanUp(own: OwnTable): DeleteOldRestored {
  const places = new Map<string, string>();
  return async (keepDays, batch) => {
    const before = serverNowMs(own.link) - keepDays * DAY_MS;
    let gone = 0;
    for (const outbox of (await readFingerprints(own)).keys()) {
      const { deleted, place } = await deleteSome(own, outbox, {
        ...{ before, most: batch - gone, after: places.get(outbox) ?? null },
      });
      gone += deleted;
      if (place === null) places.delete(outbox);
      else places.set(outbox, place);
      if (gone >= batch) break;
    }
    return gone;
  };
}

interface Wanted {
  /** Ms since 1970. */
  before: number;
  most: number;
  after: string | null;
}

/** `place`: the last key that was looked at; null after the last record. */
async function deleteSome(
  own: OwnTable,
  outbox: string,
  { before, most, after }: Wanted,
): Promise<{ deleted: number; place: string | null }> {
  const pk = PARTITIONS.restored(outbox);
  let deleted = 0;
  let place = after;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { records, complete } = await queryRecords<RestoredDoc>(own, { pk, after: place, limit: PAGE });
    for (const { sk, doc, v } of records) {
      if (Date.parse(doc.at) < before && (await deleteOne(own, { pk, sk }, v))) deleted += 1;
      place = sk;
      if (deleted >= most) return { deleted, place };
    }
    if (complete) return { deleted, place: null };
  }
  return { deleted, place };
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
