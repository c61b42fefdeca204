import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { AnswerBoard } from "./answer-rules.ts";
import type { BadAnswer, Receipt, Recorder, RecorderInput } from "./recorder.ts";

const STATUS: Record<Exclude<BadAnswer, "nothing">, number> = { "500": 500, "500-after": 500, "400": 400, "503": 503 };

/** A receiving service: what it takes it keeps, also when its answer says otherwise or never goes out. */
export async function startHttpRecorder({ log }: RecorderInput): Promise<Recorder> {
  const receipts: Receipt[] = [];
  const rejected = new Set<string>();
  const board = new AnswerBoard();

  const take = (incoming: IncomingMessage, response: ServerResponse, body: string) => {
    const id = String(incoming.headers["webhook-id"]);
    const answer = board.answerTo(id);
    if (answer === "400") rejected.add(id);
    if (answer === null || answer === "500-after" || answer === "nothing") {
      const { aggregate, n } = JSON.parse(body) as { aggregate: string; n: number };
      const receipt: Receipt = { id, aggregate, n, atMs: log.nowMs(), unconfirmed: answer !== null };
      receipts.push(receipt);
      response.on("close", () => {
        receipt.unconfirmed ||= !response.writableFinished;
      });
    }
    if (answer === "nothing") return;
    response.writeHead(answer === null ? 204 : STATUS[answer]);
    response.end();
  };

  let server = await listen(0, take);
  const { port } = server.address() as AddressInfo;
  return {
    kind: "http",
    host: "127.0.0.1",
    port,
    sinkYaml: (linePort) =>
      `{ kind: http, url: "http://127.0.0.1:${linePort}/events", timeout: 2s, connectTimeout: 1s }`,
    relayYaml: [],
    stop: () => end(server),
    start: async () => {
      if (!server.listening) server = await listen(port, take);
    },
    receipts: async () => receipts,
    rejected,
    answers: board,
    close: () => end(server),
  };
}

type Take = (incoming: IncomingMessage, response: ServerResponse, body: string) => void;

function listen(port: number, take: Take): Promise<Server> {
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => take(incoming, response, Buffer.concat(chunks).toString("utf8")));
    incoming.on("error", () => undefined);
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve(server));
  });
}

async function end(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}
