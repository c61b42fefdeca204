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

/** A receiving service that records every event it accepts, even when its answer is an error or is never sent. */
export async function startHttpRecorder({ log, httpBatch }: RecorderInput): Promise<Recorder> {
  const receipts: Receipt[] = [];
  const rejected = new Set<string>();
  const board = new AnswerBoard();

  const take = (incoming: IncomingMessage, response: ServerResponse, body: string) => {
    const events = readEvents(incoming, body);
    const answer = events.map(({ id }) => board.answerTo(id)).find((one) => one !== null) ?? null;
    // Events of a rejected batch are sent again one by one.
    if (answer === "400" && events.length === 1) for (const { id } of events) rejected.add(id);
    if (answer === null || answer === "500-after" || answer === "nothing") {
      const taken = events.map((event) => ({ ...event, atMs: log.nowMs(), unconfirmed: answer !== null }));
      receipts.push(...taken);
      response.on("close", () => {
        if (!response.writableFinished) for (const receipt of taken) receipt.unconfirmed = true;
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
      `{ kind: http, url: "http://127.0.0.1:${linePort}/events", batch: ${httpBatch}, timeout: 2s, connectTimeout: 1s }`,
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

type Event = Pick<Receipt, "id" | "aggregate" | "n" | "slot">;
type BatchElement = { id: string; headers: Record<string, string>; payload: Content };

/** One event, or the array of a batch. */
function readEvents(incoming: IncomingMessage, body: string): Event[] {
  const parsed = JSON.parse(body) as Content | BatchElement[];
  if (Array.isArray(parsed)) {
    return parsed.map(({ id, headers, payload: { aggregate, n } }) => ({
      id,
      aggregate,
      n,
      slot: slotOf(headers[SLOT_HEADER]),
    }));
  }
  const { aggregate, n } = parsed;
  return [{ id: String(incoming.headers["webhook-id"]), aggregate, n, slot: slotOf(incoming.headers[SLOT_HEADER]) }];
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
