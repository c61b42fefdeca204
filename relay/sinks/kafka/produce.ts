import {
  type Connection,
  produceV7,
  produceV8,
  produceV9,
  produceV10,
  produceV11,
  ResponseError,
  Writer,
} from "@platformatic/kafka";

export interface PartitionBatch {
  topic: string;
  partition: number;
  batch: Buffer;
}

export interface PartitionAnswer {
  errorCode: number;
  detail: string | null;
  /** Indexes in the batch of the records that the broker refuses. */
  refused: number[];
}

export interface ProduceAnswer {
  partitions: Map<string, PartitionAnswer>;
  throttleMs: number;
}

type ProduceResponse = ReturnType<typeof produceV11.parseResponse>;

type Parse = typeof produceV11.parseResponse;

export const PRODUCE_KEY = 0;
const ALL_REPLICAS = -1;
const FIRST_FLEXIBLE = 9;
const VERSIONS = [produceV11, produceV10, produceV9, produceV8, produceV7];
const OLDEST = 7;

export function partitionName(topic: string, partition: number): string {
  return `${topic}/${partition}`;
}

/**
 * Sends one batch to each of several partitions of one broker, with acks from all in-sync replicas. The client's own
 * producer is not used: it fails all partitions with the first, and forgets every sequence when one of them fails.
 */
export function produce(input: {
  connection: Connection;
  /** Highest version that the broker supports. */
  maxVersion: number;
  timeoutMs: number;
  batches: PartitionBatch[];
}): Promise<ProduceAnswer> {
  const { connection, batches } = input;
  const version = Math.min(input.maxVersion, OLDEST + VERSIONS.length - 1);
  const parse = VERSIONS.find(({ api }) => api.version === version)?.parseResponse as Parse | undefined;
  if (parse === undefined)
    throw new Error("The broker is older than Kafka 2.4, the oldest version that this sink supports");
  const flexible = version >= FIRST_FLEXIBLE;
  const write = () => writeRequest(batches, input.timeoutMs, flexible);
  return new Promise((resolve, reject) => {
    connection.send<ProduceResponse>(PRODUCE_KEY, version, write, parse, flexible, flexible, (error, response) => {
      const answer = error instanceof ResponseError ? (error.response as ProduceResponse) : response;
      if (answer) resolve(read(answer));
      else reject(error ?? new Error("The broker did not answer"));
    });
  });
}

function writeRequest(batches: PartitionBatch[], timeoutMs: number, compact: boolean): Writer {
  const topics = [...Map.groupBy(batches, ({ topic }) => topic)];
  const writer = Writer.create().appendString(null, compact).appendInt16(ALL_REPLICAS).appendInt32(timeoutMs);
  writer.appendArray(
    topics,
    (w, [topic, partitions]) => {
      w.appendString(topic, compact).appendArray(
        partitions,
        (inner, { partition, batch }) => {
          inner.appendInt32(partition).appendBytes(batch, compact);
        },
        compact,
        compact,
      );
    },
    compact,
    compact,
  );
  return compact ? writer.appendTaggedFields() : writer;
}

function read({ responses, throttleTimeMs }: ProduceResponse): ProduceAnswer {
  const partitions = new Map<string, PartitionAnswer>();
  for (const { name, partitionResponses } of responses) {
    for (const { index, errorCode, errorMessage, recordErrors } of partitionResponses) {
      const refused = (recordErrors ?? []).map(({ batchIndex }) => batchIndex);
      const why = recordErrors?.[0]?.batchIndexErrorMessage;
      partitions.set(partitionName(name, index), { errorCode, detail: why ?? errorMessage ?? null, refused });
    }
  }
  return { partitions, throttleMs: throttleTimeMs };
}
