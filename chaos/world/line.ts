import { connect, createServer, type Server, type Socket } from "node:net";
import { choosePorts } from "#tests/brokers/choose-ports.ts";
import { Flow } from "./flow.ts";

/** `hang`: nothing passes; `no-answers`: only the client's data passes; `refuse`: connections are refused. */
export type Passing = "open" | "hang" | "no-answers" | "refuse";

export interface Line {
  port: number;
  /** Held bytes continue when the line opens, even after the client is gone, as in a real network. */
  set(passing: Passing): Promise<void>;
  /** Latency of each direction, ms. */
  slow(delayMs: number): void;
  /** Resets all connections. */
  cut(): void;
  close(): Promise<void>;
}

interface Connection {
  client: Socket;
  upstream: Socket;
  requests: Flow;
  answers: Flow;
}

/** A TCP line between one relay and a server, which can be cut, hung, slowed and refused. The target may change. */
export async function openLine(targetPort: () => number): Promise<Line> {
  const connections = new Set<Connection>();
  let passing: Passing = "open";
  let delayMs = 0;
  let server: Server | null = null;

  const apply = ({ requests, answers }: Connection) => {
    requests.hold(passing === "hang");
    answers.hold(passing === "hang" || passing === "no-answers");
    requests.delayMs = delayMs;
    answers.delayMs = delayMs;
  };
  const accept = (client: Socket) => {
    const upstream = connect(targetPort(), "127.0.0.1");
    client.setNoDelay(true);
    upstream.setNoDelay(true);
    const connection = {
      client,
      upstream,
      requests: new Flow(client, upstream),
      answers: new Flow(upstream, client),
    };
    connections.add(connection);
    const forget = () => {
      if (client.destroyed && upstream.destroyed) connections.delete(connection);
    };
    client.on("close", forget);
    upstream.on("close", forget);
    apply(connection);
  };
  const listen = (port: number) =>
    new Promise<Server>((resolve, reject) => {
      const listening = createServer(accept);
      listening.once("error", reject);
      listening.listen(port, "127.0.0.1", () => resolve(listening));
    });
  const cut = () => {
    for (const { client, upstream, requests, answers } of connections) {
      requests.drop();
      answers.drop();
      client.resetAndDestroy();
      upstream.resetAndDestroy();
    }
    connections.clear();
  };
  const stopListening = async () => {
    const closing = server;
    server = null;
    const closed = closing && new Promise<void>((resolve) => closing.close(() => resolve()));
    cut();
    await closed;
  };

  const [port = 0] = await choosePorts(1);
  server = await listen(port);
  return {
    port,
    set: async (next) => {
      passing = next;
      if (next === "refuse") return stopListening();
      server ??= await listen(port);
      for (const connection of connections) apply(connection);
    },
    slow: (ms) => {
      delayMs = ms;
      for (const connection of connections) apply(connection);
    },
    cut,
    close: stopListening,
  };
}
