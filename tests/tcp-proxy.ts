import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

export type TcpProxy = {
  port: number;
  /** Number of open connections. */
  connectionCount(): number;
  /** Resets every open connection; new ones are still accepted. */
  cut(): void;
  /** Holds both directions until `resume` without closing anything, like a network that drops packets. */
  pause(): void;
  /** Passes clients' data and holds the answers until `resume`: everything arrives and nothing is confirmed. */
  swallowAnswers(): void;
  /** Refuses new connections and resets open ones until `resume`, like a server that is down. */
  refuse(): Promise<void>;
  resume(): Promise<void>;
  close(): Promise<void>;
};

type Pair = { client: Socket; upstream: Socket };

/** A loopback TCP proxy for outage tests, between a client and a database or a broker. */
export async function startTcpProxy(target: { host?: string; port: number }): Promise<TcpProxy> {
  const pairs = new Set<Pair>();
  let holding: "nothing" | "answers" | "everything" = "nothing";
  let server: Server | null = null;

  const accept = (client: Socket) => {
    // The connection may have been accepted just as the proxy closed.
    if (server === null) {
      client.resetAndDestroy();
      return;
    }
    const upstream = connect({ host: target.host ?? "127.0.0.1", port: target.port });
    const pair = { client, upstream };
    pairs.add(pair);
    join(pair, () => {
      if (client.closed && upstream.closed) pairs.delete(pair);
    });
    client.pipe(upstream);
    upstream.pipe(client);
    applyTo(pair);
  };
  const applyTo = (pair: Pair) => {
    if (holding === "everything") hold(pair);
    if (holding === "answers") holdAnswers(pair);
  };
  const listen = (port: number) =>
    new Promise<Server>((resolve, reject) => {
      const listening = createServer(accept);
      listening.once("error", reject);
      listening.listen(port, "127.0.0.1", () => resolve(listening));
    });
  const cut = () => {
    for (const { client, upstream } of pairs) {
      client.resetAndDestroy();
      upstream.destroy();
    }
    pairs.clear();
  };
  const stopListening = async () => {
    const closing = server;
    server = null;
    const closed = closing === null ? null : new Promise<void>((resolve) => closing.close(() => resolve()));
    cut();
    await closed;
  };

  server = await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    connectionCount: () => pairs.size,
    cut,
    pause: () => {
      holding = "everything";
      for (const pair of pairs) applyTo(pair);
    },
    swallowAnswers: () => {
      holding = "answers";
      for (const pair of pairs) applyTo(pair);
    },
    refuse: stopListening,
    resume: async () => {
      holding = "nothing";
      for (const pair of pairs) release(pair);
      server ??= await listen(port);
    },
    close: stopListening,
  };
}

/** When one side closes, the other receives the bytes in flight and is then closed too. */
function join(pair: Pair, onGone: () => void): void {
  const { client, upstream } = pair;
  for (const [socket, other] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    socket.setNoDelay(true);
    socket.on("error", () => other.destroy());
    socket.on("close", () => {
      onGone();
      other.destroySoon();
    });
  }
}

function hold({ client, upstream }: Pair): void {
  client.unpipe(upstream);
  upstream.unpipe(client);
  client.pause();
  upstream.pause();
}

function holdAnswers({ client, upstream }: Pair): void {
  upstream.unpipe(client);
  upstream.pause();
}

/** A socket that is piped twice writes every byte twice. */
function release(pair: Pair): void {
  hold(pair);
  const { client, upstream } = pair;
  client.pipe(upstream);
  upstream.pipe(client);
}
