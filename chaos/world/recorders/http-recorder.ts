import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { choosePorts } from "#tests/brokers/choose-ports.ts";
import { AnswerBoard } from "./answer-rules.ts";
import {
  type BadAnswer,
  type Content,
  type Receipt,
  type Recorder,
  type RecorderInput,
  SLOT_HEADER,
  slotOf,
} from "./recorder.ts";

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
      const { aggregate, n } = JSON.parse(body) as Content;
      const receipt: Receipt = {
        id,
        aggregate,
        n,
        atMs: log.nowMs(),
        slot: slotOf(incoming.headers[SLOT_HEADER]),
        unconfirmed: answer !== null,
      };
      receipts.push(receipt);
      response.on("close", () => {
        receipt.unconfirmed ||= !response.writableFinished;
      });
    }
    if (answer === "nothing") return;
    response.writeHead(answer === null ? 204 : STATUS[answer]);
    response.end();
  };

  const [port = 0] = await choosePorts(1);
  let server = await listen(port, take);
  return {
    kind: "http",
    portOf: () => port,
    sinkYaml: (linePort) =>
      `{ kind: http, url: "http://127.0.0.1:${linePort}/events", timeout: 2s, connectTimeout: 1s }`,
    topic: null,
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
