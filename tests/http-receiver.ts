import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer, type ServerOptions } from "node:https";
import { type AddressInfo, connect, type Server, type Socket } from "node:net";
import { promisify } from "node:util";
import { waitFor } from "./wait-for.ts";

export type ReceivedRequest = {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** Number in the order in which requests were completed. */
  index: number;
};

/** `hang` never answers; `close` destroys the connection once the request has been read. */
export type ReceiverAnswer =
  | { status: number; delayMs?: number; headers?: Record<string, string>; body?: string }
  | "hang"
  | "close";

export type AnswerRule = ReceiverAnswer | ((request: ReceivedRequest) => ReceiverAnswer | Promise<ReceiverAnswer>);

export type HttpReceiver = {
  url: string;
  port: number;
  /** Every completely received request, oldest first; also those answered with an error. */
  requests: ReceivedRequest[];
  /** Sets the answer to every further request. */
  answerWith(rule: AnswerRule): void;
  /** Sets the answers to the next requests, one each, before the standing answer applies again. */
  answerNext(...answers: ReceiverAnswer[]): void;
  waitForRequests(count: number): Promise<ReceivedRequest[]>;
  /** Resolves once every sender has disconnected; `requests` then has those of a killed sender too. */
  waitUntilLeft(): Promise<unknown>;
  /** Stops listening and cuts every connection, as when the receiver goes down. */
  close(): Promise<void>;
};

/** A real HTTP server that records its requests and gives configured answers (204 by default); https with `tls`. */
export async function startHttpReceiver({
  port = 0,
  tls,
}: {
  port?: number;
  tls?: ServerOptions;
} = {}): Promise<HttpReceiver> {
  const requests: ReceivedRequest[] = [];
  const queued: ReceiverAnswer[] = [];
  const timers = new Set<NodeJS.Timeout>();
  let rule: AnswerRule = { status: 204 };

  const listener = async (incoming: IncomingMessage, response: ServerResponse) => {
    const body = await readBody(incoming);
    if (body === null) return;
    const request = describe(incoming, body, requests.length);
    requests.push(request);
    const answer = queued.shift() ?? (typeof rule === "function" ? await rule(request) : rule);
    if (answer === "hang") return;
    if (answer === "close") {
      incoming.socket.destroy();
      return;
    }
    const timer = setTimeout(() => {
      timers.delete(timer);
      send(response, answer);
    }, answer.delayMs ?? 0);
    timers.add(timer);
  };
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const { port: boundPort } = server.address() as AddressInfo;

  return {
    url: `${tls ? "https" : "http"}://127.0.0.1:${boundPort}`,
    port: boundPort,
    requests,
    answerWith: (next) => {
      rule = next;
    },
    answerNext: (...answers) => {
      queued.push(...answers);
    },
    waitForRequests: (count) =>
      waitFor(() => (requests.length >= count ? requests : null), { message: `the receiver has ${count} requests` }),
    waitUntilLeft: async () => {
      await acceptAll(server);
      const count = promisify(server.getConnections.bind(server));
      return waitFor(async () => (await count()) === 0, { message: "every sender has disconnected" });
    },
    close: async () => {
      for (const timer of timers) clearTimeout(timer);
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Resolves when the server has accepted every connection that was made before: they are accepted in order. */
async function acceptAll(server: Server): Promise<void> {
  const own = connect((server.address() as AddressInfo).port, "127.0.0.1");
  const ports = new Set<number | undefined>();
  const note = ({ remotePort }: Socket) => ports.add(remotePort);
  server.on("connection", note);
  await once(own, "connect");
  await waitFor(() => ports.has(own.localPort), { message: "the receiver has accepted every connection" });
  server.off("connection", note);
  own.destroy();
}

/** Null if the sender disconnected before the end. */
async function readBody(incoming: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
  } catch {
    return null;
  }
  return Buffer.concat(chunks);
}

function describe(incoming: IncomingMessage, body: Buffer, index: number): ReceivedRequest {
  return { method: incoming.method ?? "", path: incoming.url ?? "", headers: incoming.headers, body, index };
}

function send(response: ServerResponse, answer: Exclude<ReceiverAnswer, string>): void {
  response.writeHead(answer.status, answer.headers);
  response.end(answer.body);
}
