import type { AttemptRow } from "../../port/message-detail.ts";
import { readFingerprints } from "./mapping-fingerprints.ts";
import { keyItem, type OwnTable, PARTITIONS, queryRecords } from "./own-table.ts";
import type { AttemptDoc } from "./relay-docs.ts";
import { serverNowMs } from "./terms.ts";

const MOST_SHOWN = 100;
const DAY_MS = 86_400_000;

/** Newest first, at most 100; always with the first. */
export async function readAttempts(own: OwnTable, outbox: string, id: string): Promise<AttemptRow[]> {
  const pk = PARTITIONS.attemptsOf(outbox, id);
  const { records, complete } = await queryRecords<AttemptDoc>(own, { pk, newestFirst: true, limit: MOST_SHOWN });
  const newest = records.slice(0, MOST_SHOWN);
  const cut = !complete || newest.length < records.length;
  const [first] = cut ? (await queryRecords<AttemptDoc>(own, { pk, limit: 1 })).records : newest.slice(-1);
  const shown = first && first.sk !== newest.at(-1)?.sk ? [...newest, first] : newest;
  return shown.map(({ sk, doc: { id: _, ...attempt } }) => ({ ...attempt, first: sk === first?.sk }));
}

/** Deletes at most `batch` older attempts, of every outbox; returns how many. */
export async function deleteOldAttempts(own: OwnTable, keepDays: number, batch: number): Promise<number> {
  const before = new Date(serverNowMs(own.link) - keepDays * DAY_MS).toISOString();
  let gone = 0;
  for (const outbox of (await readFingerprints(own)).keys()) {
    const pk = PARTITIONS.attempts(outbox);
    const { records } = await queryRecords<{ id: string; sk: string }>(own, { pk, before, limit: batch - gone });
    for (const { sk, doc } of records.slice(0, batch - gone)) {
      const keys = [
        { pk: PARTITIONS.attemptsOf(outbox, doc.id), sk: doc.sk },
        { pk, sk },
      ];
      await own.link.transact(keys.map((key) => ({ Delete: { TableName: own.name, Key: keyItem(key) } })));
      gone += 1;
    }
    if (gone >= batch) break;
  }
  return gone;
}
