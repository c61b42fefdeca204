import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
} from "@aws-sdk/client-dynamodb-streams";
import type { StoreOptions } from "../../port/store.ts";
import { placeOfUrl } from "../connection/dynamodb-url.ts";
import { nameOf } from "../connection/to-store-error.ts";
import type { Item } from "../items/item.ts";

export interface Shard {
  id: string;
  /** Its items continue from this shard; the parent may be gone. */
  parent: string | null;
}

export interface StreamRecord {
  /** Grows within a shard. */
  sequence: string;
  kind: "INSERT" | "MODIFY" | "REMOVE";
  /** The item as written; null for a removed one. */
  image: Item | null;
  writtenAtMs: number;
  bytes: number;
}

export interface RecordPage {
  records: StreamRecord[];
  /** Null at the end of the shard. */
  next: string | null;
}

/** Records after the position were removed: the stream keeps 24 hours. */
export class TrimmedError extends Error {
  override readonly name = "TrimmedError";
}

/** The iterator is older than its 15 minutes. */
export class IteratorExpiredError extends Error {
  override readonly name = "IteratorExpiredError";
}

/** The three calls of a stream's reader. */
export interface StreamCalls {
  shards(arn: string): Promise<Shard[]>;
  /** Behind a sequence number, or with null from the oldest that is kept. Throws TrimmedError. */
  iterator(arn: string, shard: string, after: string | null): Promise<string>;
  /** Throws TrimmedError, IteratorExpiredError. */
  records(iterator: string): Promise<RecordPage>;
  close(): void;
}

const ANSWER_WITHIN_MS = 5_000;
const MOST_RECORDS = 1_000;

export function openStreamCalls(options: Pick<StoreOptions, "url" | "applicationName">): StreamCalls {
  const { region, endpoint } = placeOfUrl(options.url);
  const client = new DynamoDBStreamsClient({
    region,
    ...(endpoint === null ? {} : { endpoint }),
    maxAttempts: 2,
    customUserAgent: options.applicationName.replace(/\s+/g, "-"),
    requestHandler: { connectionTimeout: 1_500, requestTimeout: ANSWER_WITHIN_MS, throwOnRequestTimeout: true },
  });
  return {
    shards: (arn) => listShards(client, arn),
    iterator: (arn, shard, after) =>
      telling(async () => {
        const from =
          after === null
            ? ({ ShardIteratorType: "TRIM_HORIZON" } as const)
            : ({ ShardIteratorType: "AFTER_SEQUENCE_NUMBER", SequenceNumber: after } as const);
        const command = new GetShardIteratorCommand({ StreamArn: arn, ShardId: shard, ...from });
        return (await client.send(command)).ShardIterator ?? "";
      }),
    records: (iterator) =>
      telling(async () => {
        const command = new GetRecordsCommand({ ShardIterator: iterator, Limit: MOST_RECORDS });
        const { Records: records = [], NextShardIterator: next } = await client.send(command);
        return {
          next: next ?? null,
          records: records.map(({ eventName, dynamodb: change = {} }) => ({
            sequence: change.SequenceNumber ?? "",
            kind: eventName ?? "MODIFY",
            image: (change.NewImage as Item | undefined) ?? null,
            writtenAtMs: change.ApproximateCreationDateTime?.getTime() ?? 0,
            bytes: change.SizeBytes ?? 0,
          })),
        };
      }),
    close: () => client.destroy(),
  };
}

async function listShards(client: DynamoDBStreamsClient, arn: string): Promise<Shard[]> {
  const shards: Shard[] = [];
  let from: string | undefined;
  do {
    const page = await client.send(
      new DescribeStreamCommand({ StreamArn: arn, ...(from === undefined ? {} : { ExclusiveStartShardId: from }) }),
    );
    const { Shards: some = [], LastEvaluatedShardId: last } = page.StreamDescription ?? {};
    shards.push(...some.map(({ ShardId: id = "", ParentShardId: parent }) => ({ id, parent: parent ?? null })));
    from = last;
  } while (from !== undefined);
  return shards;
}

async function telling<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const name = nameOf(error);
    if (name === "TrimmedDataAccessException") throw new TrimmedError("The position is trimmed.", { cause: error });
    if (name === "ExpiredIteratorException") throw new IteratorExpiredError("The iterator expired.", { cause: error });
    throw error;
  }
}
