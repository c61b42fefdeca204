import { DeleteItemCommand } from "@aws-sdk/client-dynamodb";
import { keyItem, type OwnTable, PARTITIONS, putRecord, queryRecords } from "../own-table/own-table.ts";
import type { ShardPosition } from "./follow-shards.ts";

/** Record of one reader of one table's stream. Instants are RFC 3339. */
export interface ReaderDoc {
  /** Of the stream that is read; another one begins when the table's is switched off and on. */
  arn: string;
  createdAt: string;
  /** The last position that was confirmed. */
  confirmed: string | null;
  /** When the last confirmed record was written. */
  confirmedAt: string | null;
  /** When it was found that records were removed unread; null once reading has continued. */
  lostAt: string | null;
}

interface ShardDoc extends ShardPosition {
  arn: string;
}

const READER = "reader#";
const SHARD = "shard#";
const MOST_SHARDS = 10_000;

export interface Checkpoints {
  reader: ReaderDoc;
  /** Of the reader's stream. */
  shards: Map<string, ShardPosition>;
}

const partitionOf = (outbox: string, reader: string) => PARTITIONS.stream(`${outbox}#${reader}`);

/** Null before the reader was created. */
export async function readCheckpoints(own: OwnTable, outbox: string, name: string): Promise<Checkpoints | null> {
  const query = { pk: partitionOf(outbox, name), limit: MOST_SHARDS };
  const { records } = await queryRecords<ReaderDoc | ShardDoc>(own, query);
  const reader = records.find(({ sk }) => sk === READER)?.doc as ReaderDoc | undefined;
  if (!reader) return null;
  const shards = records.filter(({ sk }) => sk.startsWith(SHARD)) as { sk: string; doc: ShardDoc }[];
  return {
    reader,
    shards: new Map(
      shards
        .filter(({ doc }) => doc.arn === reader.arn)
        .map(({ sk, doc: { sequence, done } }) => [sk.slice(SHARD.length), { sequence, done }]),
    ),
  };
}

export function putReader(own: OwnTable, outbox: string, name: string, doc: ReaderDoc): Promise<void> {
  return putRecord(own, { pk: partitionOf(outbox, name), sk: READER, doc, v: "1" });
}

export async function putShards(
  own: OwnTable,
  { outbox, name, arn }: { outbox: string; name: string; arn: string },
  shards: ReadonlyMap<string, ShardPosition>,
): Promise<void> {
  const pk = partitionOf(outbox, name);
  for (const [id, position] of shards) {
    const doc: ShardDoc = { arn, ...position };
    await putRecord(own, { pk, sk: `${SHARD}${id}`, doc, v: "1" });
  }
}

export async function forgetShards(own: OwnTable, outbox: string, name: string, ids: readonly string[]): Promise<void> {
  const pk = partitionOf(outbox, name);
  for (const id of ids) {
    const Key = keyItem({ pk, sk: `${SHARD}${id}` });
    await own.link.client.send(new DeleteItemCommand({ TableName: own.name, Key }));
  }
}
