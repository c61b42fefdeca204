import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import type { Failure } from "#domain/failure.ts";
import type { KafkaSinkConfig } from "#services/config/sinks/kafka-sink-schema.ts";
import type { Routed, Router } from "../../routing/router.ts";
import { ABORTED, type PublishOutcome, type Sink, unsent } from "../sink.ts";
import { failureOfError } from "./classify-failure.ts";
import { Cluster } from "./cluster.ts";
import { whyIllegal } from "./legal-topic.ts";
import { missingTopics } from "./missing-topics.ts";
import { partitionOfKey } from "./murmur2.ts";
import { Producer } from "./producer.ts";
import { AggregateRun, PublishCall } from "./publish-call.ts";
import { loneBatchBytes, toRecord } from "./record-batch.ts";
import { Topics } from "./topics.ts";

/** Batches are limited to this size even where the broker allows more: a smaller batch leaves sooner. */
const MOST_BATCH_BYTES = 1_000_000;

/** Publishes to Kafka, idempotently and with acks from all in-sync replicas. Connects on first use. */
export function createKafkaSink(input: { config: KafkaSinkConfig; route: Router }): Sink {
  const { config, route } = input;
  const cluster = new Cluster(config);
  const topics = new Topics(cluster, config.timeout);
  const producer = new Producer(cluster, topics, {
    timeoutMs: config.timeout,
    maxBatchBytes: Math.min(config.maxMessageBytes, MOST_BATCH_BYTES),
    compression: config.compression,
  });
  const calls = new Set<PublishCall>();
  let closed = false;
  let turn = 0;

  const send = (call: PublishCall, { messages, routes }: Batch, wants: (lane: string) => boolean): void => {
    const runs = new Map<string, AggregateRun>();
    turn += 1;
    for (const [index, message] of messages.entries()) {
      const lane = laneOf(message, index);
      if (!wants(lane)) continue;
      let run = runs.get(lane);
      if (run === undefined) {
        run = new AggregateRun(call, (entry) => producer.add(entry));
        runs.set(lane, run);
      }
      const address = routes[index] as Addressed;
      const failure = "failure" in address ? address.failure : prepare(run, index, address.routed);
      if (failure) run.addOutcome(index, failure.kind === "message" ? unsent(failure) : { kind: "failed", failure });
    }
    for (const run of runs.values()) run.advance();
  };

  /** Null when the message has joined the run. */
  const prepare = (run: AggregateRun, index: number, routed: Routed): Failure | null => {
    const topic = topics.known(routed.topic);
    if (topic === undefined) return UNKNOWN;
    if (topic.failure) return topic.failure;
    const record = toRecord(routed);
    const bytes = loneBatchBytes(record);
    if (bytes > config.maxMessageBytes) return tooLarge(bytes, config.maxMessageBytes);
    const count = topic.leaders.length;
    // Messages without a key need no common partition, but one whole batch is cheaper.
    const partition = record.key === null ? turn % count : partitionOfKey(record.key, count);
    run.add(index, record, { topic: routed.topic, partition });
    return null;
  };

  /**
   * Sends an aggregate's messages once its topics are known: one topic that is looked for keeps no other waiting. Runs
   * outside the call, since an abort must end the call at once.
   */
  const sendWhenKnown = async (call: PublishCall, batch: Batch, { lanes, names }: Waiting) => {
    const failure = await resolve(topics, names);
    const routes = failure === null ? batch.routes : batch.routes.map((each) => unless(each, names, failure));
    send(call, { ...batch, routes }, (lane) => lanes.has(lane));
  };

  const publish = async (messages: readonly OutgoingMessage[], signal: AbortSignal): Promise<PublishOutcome[]> => {
    if (signal.aborted || closed) return messages.map(() => ABORTED);
    const call = new PublishCall(messages.length);
    const abort = () => call.settleAll(ABORTED);
    calls.add(call);
    signal.addEventListener("abort", abort, { once: true });
    try {
      const routes = messages.map((message) => address(message, route));
      const batch = { messages, routes };
      const missing = missingByLane(batch, topics);
      send(call, batch, (lane) => !missing.has(lane));
      // One request for all; each group then waits for its own.
      if (missing.size > 0) void resolve(topics, new Set([...missing.values()].flatMap((names) => [...names])));
      for (const waiting of byTopics(missing)) void sendWhenKnown(call, batch, waiting);
      return await call.done;
    } finally {
      calls.delete(call);
      signal.removeEventListener("abort", abort);
    }
  };

  return {
    kind: "kafka",
    maxBatch: 1000,
    keepsOrderInBatch: true,
    // The first message finds out whether a broker is reachable, and the breaker waits for it.
    connect: async () => undefined,
    check: async () => {
      try {
        await cluster.metadata([]);
        return null;
      } catch (error) {
        return failureOfError(error, false);
      }
    },
    missingTopics: (names) => missingTopics(config, topics, names),
    publish,
    close: async () => {
      closed = true;
      for (const call of calls) call.settleAll(ABORTED);
      producer.close();
      cluster.close();
    },
    describe: () => ({ kind: "kafka", address: config.brokers.map(withoutUser).join(",") }),
  };
}

type Addressed = { routed: Routed } | { failure: Failure };

function address(message: OutgoingMessage, route: Router): Addressed {
  const result = route(message);
  if ("failure" in result) return result;
  const illegal = whyIllegal(result.routed.topic);
  return illegal === null ? result : { failure: { code: "unroutable", kind: "message", message: illegal } };
}

interface Batch {
  messages: readonly OutgoingMessage[];
  routes: readonly Addressed[];
}

function laneOf({ aggregateKey }: OutgoingMessage, index: number): string {
  return aggregateKey ?? `\u0000${index}`;
}

/** The topics to look up first, by the aggregate that waits for them. */
function missingByLane({ messages, routes }: Batch, topics: Topics): Map<string, Set<string>> {
  const missing = new Map<string, Set<string>>();
  for (const [index, message] of messages.entries()) {
    const address = routes[index] as Addressed;
    if ("failure" in address || topics.get(address.routed.topic) !== undefined) continue;
    const lane = laneOf(message, index);
    missing.set(lane, (missing.get(lane) ?? new Set()).add(address.routed.topic));
  }
  return missing;
}

/** Aggregates that wait for the same topics. */
interface Waiting {
  lanes: Set<string>;
  names: Set<string>;
}

function byTopics(missing: ReadonlyMap<string, Set<string>>): Waiting[] {
  const groups = Map.groupBy(missing, ([, names]) => [...names].sort().join("/"));
  return [...groups.values()].map((group) => ({
    lanes: new Set(group.map(([lane]) => lane)),
    names: group[0]?.[1] ?? new Set(),
  }));
}

async function resolve(topics: Topics, names: ReadonlySet<string>): Promise<Failure | null> {
  try {
    await topics.resolve(names);
    return null;
  } catch (error) {
    return failureOfError(error, false);
  }
}

function unless(each: Addressed, missing: ReadonlySet<string>, failure: Failure): Addressed {
  return "routed" in each && missing.has(each.routed.topic) ? { failure } : each;
}

const UNKNOWN: Failure = {
  code: "unavailable",
  kind: "environment",
  message: "The brokers did not report the topic's partitions.",
};

function tooLarge(bytes: number, limit: number): Failure {
  const message = `The message takes ${bytes} bytes as a batch; the sink's maxMessageBytes is ${limit}.`;
  return { code: "too_large", kind: "message", message };
}

function withoutUser(broker: string): string {
  return broker.slice(broker.lastIndexOf("@") + 1);
}
