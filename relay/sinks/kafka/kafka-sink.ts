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

  const send = (call: PublishCall, messages: readonly OutgoingMessage[], routes: Addressed[]): void => {
    const runs = new Map<string, AggregateRun>();
    turn += 1;
    for (const [index, message] of messages.entries()) {
      const lane = message.aggregateKey ?? `\u0000${index}`;
      let run = runs.get(lane);
      if (run === undefined) {
        run = new AggregateRun(call, (entry) => producer.add(entry));
        runs.set(lane, run);
      }
      const address = routes[index] as Addressed;
      const failure = "failure" in address ? address.failure : prepare(run, index, address.routed);
      if (failure) run.addOutcome(index, unsent(failure));
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

  /** Runs outside the call, since an abort must end the call at once. */
  const sendWhenKnown = async (
    call: PublishCall,
    messages: readonly OutgoingMessage[],
    routes: Addressed[],
    missing: string[],
  ): Promise<void> => {
    const failure = await resolve(topics, missing);
    send(call, messages, failure === null ? routes : routes.map((each) => unless(each, missing, failure)));
  };

  const publish = async (messages: readonly OutgoingMessage[], signal: AbortSignal): Promise<PublishOutcome[]> => {
    if (signal.aborted || closed) return messages.map(() => ABORTED);
    const call = new PublishCall(messages.length);
    const abort = () => call.settleAll(ABORTED);
    calls.add(call);
    signal.addEventListener("abort", abort, { once: true });
    try {
      const routes = messages.map((message) => address(message, route));
      const missing = routes.flatMap((each) =>
        "routed" in each && topics.get(each.routed.topic) === undefined ? [each.routed.topic] : [],
      );
      if (missing.length === 0) send(call, messages, routes);
      else void sendWhenKnown(call, messages, routes, missing);
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

async function resolve(topics: Topics, names: string[]): Promise<Failure | null> {
  try {
    await topics.resolve(names);
    return null;
  } catch (error) {
    return failureOfError(error, false);
  }
}

function unless(each: Addressed, missing: string[], failure: Failure): Addressed {
  return "routed" in each && missing.includes(each.routed.topic) ? { failure } : each;
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
