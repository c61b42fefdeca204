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

/** What one request carries: an event, or a batch of them. */
export interface HttpContent {
  /** Value of webhook-id. */
  id: string;
  contentType: string;
  headers: Routed["headers"];
  body: string | Buffer;
}

const UNSIGNED: readonly string[] = [];

/** Makes requests of contents: headers by the configuration, signed when there is a secret. */
export class HttpSender {
  /** For people. */
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
      tls: tlsOptions(config.tls),
    });
  }

  /** `done` is told once, possibly before this returns. */
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

/** For the configured origin alone; credentials in the address are Basic authorization. */
function homeHeaders(url: URL, headers: Record<string, string>): [string, string][] {
  const configured = configuredHeaders(headers);
  if (url.username !== "" && !configured.some(([name]) => name === "authorization")) {
    const user = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    configured.push(["authorization", `Basic ${Buffer.from(user).toString("base64")}`]);
  }
  return configured;
}
