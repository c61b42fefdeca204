import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Consumer } from "./consumer.ts";
import { type Answer, type Refusal, receiveEvent } from "./receive-event.ts";

const LARGEST_BODY_BYTES = 4 * 1024 * 1024;

export interface GatewayOptions {
  port: number;
  consumers: readonly Consumer[];
  refuse?: Refusal;
}

/** The relay's only destination: an HTTP server on loopback in front of the shop's consumers. */
export class Gateway {
  readonly #options: GatewayOptions;
  #server: Server | null = null;
  #port: number;

  constructor(options: GatewayOptions) {
    this.#options = options;
    this.#port = options.port;
  }

  /** The port it listens on; with 0, the port that the system chose. */
  get port(): number {
    return this.#port;
  }

  async open(): Promise<void> {
    if (this.#server) return;
    const server = createServer((request, response) => void this.#serve(request, response));
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(this.#port, "127.0.0.1", resolve);
    });
    const address = server.address();
    if (address !== null && typeof address === "object") this.#port = address.port;
    this.#server = server;
  }

  /** Stops listening and cuts every connection; new ones are refused. */
  async close(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    if (!server) return;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const answer = await this.#answer(request).catch((): Answer => ({ status: 503, body: "The gateway failed." }));
    if (response.destroyed) return;
    response.writeHead(answer.status, {
      "content-type": typeof answer.body === "string" ? "text/plain; charset=utf-8" : "application/json",
    });
    response.end(typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body));
  }

  async #answer(request: IncomingMessage): Promise<Answer> {
    if (request.method !== "POST") return { status: 405, body: "Events are sent with POST." };
    const body = await readBody(request);
    if (body === null) return { status: 413, body: "Events of more than 4 MB are not taken." };
    const { consumers, refuse = () => null } = this.#options;
    return receiveEvent({ headers: request.headers, body, consumers, refuse });
  }
}

/** Null if it exceeds the limit. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > LARGEST_BODY_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
