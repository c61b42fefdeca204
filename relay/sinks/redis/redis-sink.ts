import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import type { Failure } from "#domain/failure.ts";
import type { RedisSinkConfig } from "#services/config/sinks/redis-sink-schema.ts";
import type { Router } from "../../routing/router.ts";
import { SharedLink } from "../shared-link.ts";
import type { PublishOutcome, Sink } from "../sink.ts";
import { tlsOptions } from "../tls-options.ts";
import { createAppender, type Entry } from "./append-entries.ts";
import { CallOutcomes } from "./call-outcomes.ts";
import { failureOfCommand, failureOfConnection, NoAnswerError } from "./classify-failure.ts";
import { type Interrupt, untilInterrupted } from "./interrupt.ts";
import { linkOptions } from "./link-options.ts";
import { RedisLink } from "./redis-link.ts";
import { MOST_HEADERS, sizeOf, streamEntry } from "./stream-entry.ts";

const MOST_MESSAGES = 1000;
/**
 * A script blocks all other Redis clients, so a call with large payloads or a long run is split into several writes.
 */
const MOST_BYTES = 1024 * 1024;
const LONGEST_RUN = 500;

/** Redis Streams; the reply to XADD is the confirmation. */
export function createRedisSink({ config, route }: { config: RedisSinkConfig; route: Router }): Sink {
  const options = linkOptions({
    url: config.url,
    tls: tlsOptions(config.tls),
    connectTimeoutMs: config.connectTimeout,
  });
  const links = new SharedLink(() => RedisLink.open(options));
  const append = createAppender({ maxLength: config.maxLength, exact: config.exactLength });
  const closing = new AbortController();
  const interruptOf = (...signals: AbortSignal[]): Interrupt => ({
    signals: [...signals, closing.signal],
    timeoutMs: config.timeout,
  });

  const late = () => environment(failureOfCommand(new NoAnswerError(config.timeout)));

  /** Resolves with the connection or the reason why there is none; null once the call is aborted. */
  const linkOrFailure = async (interrupt: Interrupt): Promise<RedisLink | Failure | null> => {
    if (links.busy) return links.busy;
    const got = await untilInterrupted(links.get(), interrupt);
    if (got.kind === "value") return got.value;
    if (got.kind === "error") return failureOfConnection(got.error);
    return got.kind === "late" ? late() : null;
  };

  const publish = async (messages: readonly OutgoingMessage[], signal: AbortSignal): Promise<PublishOutcome[]> => {
    const outcomes = new CallOutcomes(messages);
    const interrupt = interruptOf(signal);
    const aborted = () => interrupt.signals.some((one) => one.aborted);
    if (aborted()) return outcomes.abortRest();
    const link = await linkOrFailure(interrupt);
    if (link === null) return outcomes.abortRest();
    if (!(link instanceof RedisLink)) return outcomes.failRest(link);
    for (const chunk of chunksOf(entriesOf(messages, route, outcomes))) {
      const open = chunk.filter(({ lane }) => !outcomes.hasStopped(lane));
      if (open.length === 0) continue;
      if (aborted()) break;
      const failure = await sendChunk(link, open, outcomes, interrupt);
      if (failure === "aborted") break;
      if (failure !== null) return outcomes.failRest({ ...environment(failure), code: "unreachable" });
    }
    return outcomes.abortRest();
  };

  /** Null when the chunk is answered; a failure ends the connection. */
  const sendChunk = async (link: RedisLink, open: Entry[], outcomes: CallOutcomes, interrupt: Interrupt) => {
    const answer = await untilInterrupted(link.send(append(open, outcomes)), interrupt);
    if (answer.kind === "aborted") return "aborted";
    // After a failover the address may lead to another server, and this connection stays with the old one.
    if (outcomes.foundOutage) link.retire();
    if (answer.kind === "value") return null;
    // Other calls that wait on the connection get no answer for the same reason.
    const error = answer.kind === "late" ? new NoAnswerError(config.timeout) : answer.error;
    const failure = failureOfCommand(error);
    outcomes.failUnanswered(open, failure);
    await link.close(error);
    return failure;
  };

  return {
    kind: "redis",
    maxBatch: MOST_MESSAGES,
    keepsOrderInBatch: true,
    async connect() {
      // An unreachable server is an environment failure of the first message, not a failure to start.
      await linkOrFailure(interruptOf());
    },
    async check() {
      const link = await linkOrFailure(interruptOf());
      if (link === null) return null;
      if (!(link instanceof RedisLink)) return link;
      const answer = await untilInterrupted(link.ask("PING"), interruptOf());
      if (answer.kind === "error") return environment(failureOfCommand(answer.error));
      return answer.kind === "late" ? late() : null;
    },
    publish,
    async close() {
      closing.abort();
      await links.close();
    },
    describe: () => ({ kind: "redis", address: options.address }),
  };
}

function environment(failure: Failure): Failure {
  return { ...failure, kind: "environment" };
}

/** Messages that can be sent; the others have already failed. */
function entriesOf(messages: readonly OutgoingMessage[], route: Router, outcomes: CallOutcomes): Entry[] {
  const entries: Entry[] = [];
  for (const [index, message] of messages.entries()) {
    const lane = outcomes.laneOf(index);
    if (outcomes.hasStopped(lane)) continue;
    const result = route(message);
    if ("failure" in result) outcomes.unsent({ index, lane }, result.failure);
    else if (result.routed.headers.length > MOST_HEADERS) outcomes.unsent({ index, lane }, TOO_MANY_HEADERS);
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
  let run = 0;
  for (const entry of entries) {
    const size = sizeOf(entry.parts);
    run = entry.lane === chunk.at(-1)?.lane ? run + 1 : 1;
    if (chunk.length > 0 && (bytes + size > MOST_BYTES || run > LONGEST_RUN)) {
      yield chunk;
      [chunk, bytes, run] = [[], 0, 1];
    }
    chunk.push(entry);
    bytes += size;
  }
  if (chunk.length > 0) yield chunk;
}
