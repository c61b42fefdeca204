import type { Failure } from "#domain/failure.ts";
import type { HttpSinkConfig } from "#services/config/sinks/http-sink-schema.ts";
import type { Routed } from "../../routing/router.ts";
import type { PublishOutcome } from "../sink.ts";
import { tlsOptions } from "../tls-options.ts";
import { HttpTransport } from "./http-transport.ts";
import { shownAddress } from "./redirect.ts";
import { configuredHeaders, createHeaderBuilder, type HeaderBuilder, headerValue } from "./request-headers.ts";
import { createSigner, type Signer } from "./signature.ts";

export type Done = (outcome: PublishOutcome) => void;

/** Content of one request: one event or a batch. */
export interface HttpContent {
  /** Value of webhook-id. */
  id: string;
  contentType: string;
  headers: Routed["headers"];
  body: string | Buffer;
}

const UNSIGNED: readonly string[] = [];

/** Builds requests from contents: configured headers, signed when there is a secret. */
export class HttpSender {
  /** Address for display, without secrets. */
  readonly address: string;
  readonly #sign: Signer | null;
  readonly #transport: HttpTransport;
  readonly #homeHeaders: HeaderBuilder;
  readonly #foreignHeaders: HeaderBuilder;

  constructor(config: HttpSinkConfig, concurrency: number) {
    const url = new URL(config.url);
    this.address = shownAddress(url);
    this.#sign = config.secret === undefined ? null : createSigner(config.secret);
    this.#homeHeaders = createHeaderBuilder(homeHeaders(url, config.headers));
    this.#foreignHeaders = createHeaderBuilder([]);
    this.#transport = new HttpTransport({
      url,
      timeoutMs: config.timeout,
      connectTimeoutMs: config.connectTimeout,
      concurrency,
      redirects: config.redirects,
      privateRedirects: config.privateRedirects,
      confirms: config.confirms,
      tls: tlsOptions(config.tls),
    });
  }

  /** Calls `done` once, possibly before returning. */
  send({ id, contentType, headers, body }: HttpContent, signal: AbortSignal, done: Done): void {
    const webhookId = headerValue(id);
    const signature = this.#sign ? this.#sign(webhookId, body, Date.now()) : UNSIGNED;
    const input = { webhookId, contentType, headers, signature };
    const build = (home: boolean) => (home ? this.#homeHeaders : this.#foreignHeaders)(input);
    this.#transport.post({ headers: build, body }, signal, done);
  }

  check(): Promise<Failure | null> {
    return this.#transport.check();
  }

  close(): Promise<void> {
    return this.#transport.close();
  }
}

/** Sent to the configured origin only; credentials in the URL become Basic authorization. */
function homeHeaders(url: URL, headers: Record<string, string>): [string, string][] {
  const configured = configuredHeaders(headers);
  if (url.username !== "" && !configured.some(([name]) => name === "authorization")) {
    const user = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    configured.push(["authorization", `Basic ${Buffer.from(user).toString("base64")}`]);
  }
  return configured;
}
