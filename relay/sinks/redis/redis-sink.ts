import type { OutgoingMessage } from "#db/outbox/outgoing-message.ts";
import type { Failure } from "#domain/failure.ts";
import type { RedisSinkConfig } from "#services/config/sinks/redis-sink-schema.ts";
import type { Router } from "../../routing/router.ts";
import type { PublishOutcome, Sink } from "../sink.ts";
import { tlsOptions } from "../tls-options.ts";
import { appendScript } from "./append-script.ts";
import { CallOutcomes, type Place } from "./call-outcomes.ts";
import { failureOfCommand, isReply } from "./classify.ts";
import { type Interrupt, untilInterrupted } from "./interrupt.ts";
import { RedisConnection } from "./redis-connection.ts";
import { MOST_HEADERS, sizeOf, streamEntry } from "./stream-entry.ts";

/** Redis serves nobody else while a script runs: a call with large payloads is cut into several. */
const MOST_BYTES = 1024 * 1024;
const MOST_MESSAGES = 500;

interface Entry extends Place {
  stream: string;
  parts: (string | Buffer)[];
}

/** Redis Streams: XADD by a script that keeps the order of each aggregate; its answer is the confirmation. */
export function createRedisSink({ config, route }: { config: RedisSinkConfig; route: Router }): Sink {
  const connection = new RedisConnection({
    url: config.url,
    tls: tlsOptions(config.tls),
    connectTimeoutMs: config.connectTimeout,
  });
  const script = appendScript({ maxLength: config.maxLength, exact: config.exactLength });
  const closing = new AbortController();

  const append = async (entries: readonly Entry[]): Promise<unknown> => {
    const args: (string | Buffer | number)[] = [script.sha, entries.length];
    for (const { stream } of entries) args.push(stream);
    for (const { lane, parts } of entries) {
      args.push(lane, parts.length);
      for (const part of parts) args.push(part);
    }
    try {
      return await connection.send("EVALSHA", args);
    } catch (error) {
      if (!isReply(error) || !error.message.startsWith("NOSCRIPT")) throw error;
      args[0] = script.text;
      return await connection.send("EVAL", args);
    }
  };

  const publish = async (messages: readonly OutgoingMessage[], signal: AbortSignal): Promise<PublishOutcome[]> => {
    const outcomes = new CallOutcomes(messages);
    const interrupt: Interrupt = { signals: [signal, closing.signal], timeoutMs: config.timeout };
    const aborted = () => interrupt.signals.some((one) => one.aborted);
    if (aborted()) return outcomes.abortRest();
    const unready = await untilInterrupted(connection.whyNotReady(), interrupt);
    if (unready.kind === "value" && unready.value !== null) return outcomes.failRest(unready.value);
    for (const chunk of chunksOf(entriesOf(messages, route, outcomes))) {
      const open = chunk.filter(({ lane }) => !outcomes.hasStopped(lane));
      if (open.length === 0) continue;
      if (aborted()) break;
      const answer = await untilInterrupted(append(open), interrupt);
      if (answer.kind === "aborted") break;
      if (answer.kind === "value") {
        outcomes.answered(open, answer.value);
        // A primary that became a replica: its name may lead to the new primary.
        if (outcomes.foundReplica) connection.reconnect();
        continue;
      }
      const failure = answer.kind === "late" ? late(config.timeout) : failureOfCommand(answer.error);
      outcomes.failed(open, failure);
      if (answer.kind === "error" && isReply(answer.error)) continue;
      connection.reconnect();
      return outcomes.failRest({ ...failure, code: "unreachable", kind: "environment" });
    }
    return outcomes.abortRest();
  };

  return {
    kind: "redis",
    maxBatch: MOST_MESSAGES,
    keepsOrderInBatch: true,
    async connect() {
      // A server that is not there yet is the first message's environment failure, not the end of the relay.
      await connection.whyNotReady();
    },
    async check() {
      const unready = await connection.whyNotReady();
      if (unready) return unready;
      const interrupt = { signals: [closing.signal], timeoutMs: config.timeout };
      const answer = await untilInterrupted(connection.send("PING", []), interrupt);
      if (answer.kind === "error") return { ...failureOfCommand(answer.error), kind: "environment" };
      return answer.kind === "late" ? { ...late(config.timeout), kind: "environment" } : null;
    },
    publish,
    async close() {
      closing.abort();
      connection.close();
    },
    describe: () => ({ kind: "redis", address: connection.address }),
  };
}

function late(timeoutMs: number): Failure {
  return { code: "timeout", kind: "ambiguous", message: `Redis did not answer within ${timeoutMs} ms.` };
}

/** Messages that can be sent; those that cannot have failed already. */
function entriesOf(messages: readonly OutgoingMessage[], route: Router, outcomes: CallOutcomes): Entry[] {
  const entries: Entry[] = [];
  for (const [index, message] of messages.entries()) {
    const lane = outcomes.laneOf(index);
    if (outcomes.hasStopped(lane)) continue;
    const result = route(message);
    if ("failure" in result) outcomes.failed([{ index, lane }], result.failure);
    else if (result.routed.headers.length > MOST_HEADERS) outcomes.failed([{ index, lane }], TOO_MANY_HEADERS);
    else entries.push({ index, lane, stream: result.routed.topic, parts: streamEntry(result.routed) });
  }
  return entries;
}

const TOO_MANY_HEADERS: Failure = {
  code: "serialisation",
  kind: "message",
  message: `The message has more than ${MOST_HEADERS} headers.`,
};

function* chunksOf(entries: readonly Entry[]): Generator<Entry[]> {
  let chunk: Entry[] = [];
  let bytes = 0;
  for (const entry of entries) {
    const size = sizeOf(entry.parts);
    if (chunk.length > 0 && bytes + size > MOST_BYTES) {
      yield chunk;
      [chunk, bytes] = [[], 0];
    }
    chunk.push(entry);
    bytes += size;
  }
  if (chunk.length > 0) yield chunk;
}
