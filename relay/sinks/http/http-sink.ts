import type { OutgoingMessage } from "#db/outbox/relay-port.ts";
import type { HttpSinkConfig } from "#services/config/config-schema.ts";
import type { Router } from "../../routing/router.ts";
import type { PublishOutcome, Sink } from "../sink.ts";
import { tlsOptions } from "../tls-options.ts";
import { batchId } from "./batch-body.ts";
import { type BatchEntry, BatchPublisher } from "./batch-publisher.ts";
import { HttpTransport } from "./http-transport.ts";
import { shownAddress } from "./redirect.ts";
import { createHeaderBuilder, type HeaderInput, headerValue } from "./request-headers.ts";
import { createSigner } from "./signature.ts";

export interface HttpSinkOptions {
  config: HttpSinkConfig;
  /** Connections for each origin, one request at a time on each. */
  concurrency: number;
  route: Router;
}

/** Bodies of batches; a receiver that takes less says so, and gets less. */
const MOST_BATCH_BYTES = 4 * 1024 * 1024;
const UNSIGNED: readonly string[] = [];

/** POSTs one event or a batch of them; a 2xx status is the confirmation of all that the request carried. */
export function createHttpSink({ config, concurrency, route }: HttpSinkOptions): Sink {
  const url = new URL(config.url);
  const homeHeaders = createHeaderBuilder(configuredHeaders(url, config.headers));
  const foreignHeaders = createHeaderBuilder([]);
  const sign = config.secret === undefined ? null : createSigner(config.secret);
  const transport = new HttpTransport({
    url,
    timeoutMs: config.timeout,
    connectTimeoutMs: config.connectTimeout,
    concurrency,
    redirects: config.redirects,
    privateRedirects: config.privateRedirects,
    tls: tlsOptions(config.tls),
  });

  const post = (input: Omit<HeaderInput, "signature">, body: string | Buffer, signal: AbortSignal) => {
    const signature = sign ? sign(input.webhookId, body, Date.now()) : UNSIGNED;
    const headers = { ...input, signature };
    return transport.post({ headers: (home) => (home ? homeHeaders : foreignHeaders)(headers), body }, signal);
  };

  const publishOne = (message: OutgoingMessage, signal: AbortSignal): PublishOutcome | Promise<PublishOutcome> => {
    const result = route(message);
    if ("failure" in result) return { kind: "failed", failure: result.failure };
    const { headers, contentType, body } = result.routed;
    return post({ webhookId: headerValue(message.eventId), contentType, headers }, body ?? "", signal);
  };

  const sendBatch = (entries: readonly BatchEntry[], signal: AbortSignal) => {
    const webhookId = batchId(entries.map(({ message }) => message.eventId));
    const contentType = entries[0]?.contentType ?? "";
    const body = Buffer.from(`[${entries.map(({ element }) => element).join(",")}]`);
    return post({ webhookId, contentType, headers: [] }, body, signal);
  };
  const batches =
    config.batch > 1 ? new BatchPublisher({ route, send: sendBatch, maxBytes: MOST_BATCH_BYTES, concurrency }) : null;

  return {
    kind: "http",
    maxBatch: config.batch,
    keepsOrderInBatch: batches !== null,
    connect: async () => undefined,
    // A webhook has no harmless request that is sure to be understood; the first message is the check.
    check: async () => null,
    publish: (messages, signal) =>
      batches ? batches.publish(messages, signal) : Promise.all(messages.map((message) => publishOne(message, signal))),
    close: () => transport.close(),
    describe: () => ({ kind: "http", address: shownAddress(url) }),
  };
}

/** For the configured origin alone; credentials in the address are Basic authorization. */
function configuredHeaders(url: URL, headers: Record<string, string>): [string, string][] {
  const configured = Object.entries(headers).map(([name, value]): [string, string] => [
    name.toLowerCase(),
    headerValue(value),
  ]);
  if (url.username !== "" && !configured.some(([name]) => name === "authorization")) {
    const user = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    configured.push(["authorization", `Basic ${Buffer.from(user).toString("base64")}`]);
  }
  return configured;
}
