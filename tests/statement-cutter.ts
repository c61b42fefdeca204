import { type AddressInfo, connect, createServer } from "node:net";

export interface StatementCutter {
  port: number;
  /**
   * Resets all connections once the `nth` statement from now (1 is the next) arrives: `before` it is passed on, or
   * `after` the server has answered it, with the answer held back. A pipeline is answered as one.
   */
  cutAt(nth: number, when: "before" | "after"): { struck(): boolean; clear(): void };
  close(): Promise<void>;
}

interface Plan {
  left: number;
  when: "before" | "after";
  struck: boolean;
}

interface Message {
  type: string;
  bytes: Buffer;
}

const [QUERY, EXECUTE, SYNC, READY] = ["Q", "E", "S", "Z"];

/** A TCP proxy that understands where a Postgres client's statements begin and end, for faults between two of them. */
export async function startStatementCutter(target: { host: string; port: number }): Promise<StatementCutter> {
  const open = new Set<() => void>();
  let plan: Plan | null = null;
  const strike = () => {
    if (plan) plan.struck = true;
    for (const cut of [...open]) cut();
  };

  const server = createServer((client) => {
    const upstream = connect(target);
    const cut = () => {
      open.delete(cut);
      client.resetAndDestroy();
      upstream.destroy();
    };
    open.add(cut);
    for (const socket of [client, upstream]) {
      socket.setNoDelay(true);
      socket.on("error", cut);
      socket.on("close", cut);
    }
    // Questions that end in a ReadyForQuery, sent and answered; `deadline`: the answer that must not come back.
    let asked = 0;
    let answered = 0;
    let deadline: number | null = null;
    // Anything without a type byte: the start-up packet, or a request for TLS, which this server refuses.
    let started = false;
    const readClient = messageReader();
    const readServer = messageReader();
    client.on("data", (chunk) => {
      if (!started) {
        started = true;
        upstream.write(chunk);
        return;
      }
      for (const { type, bytes } of readClient(chunk)) {
        const strikes = (type === QUERY || type === EXECUTE) && plan !== null && --plan.left === 0;
        if (strikes && plan?.when === "before") return strike();
        if (type === QUERY || type === SYNC) asked++;
        if (strikes) deadline = type === QUERY ? asked : asked + 1;
        upstream.write(bytes);
      }
    });
    upstream.on("data", (chunk) => {
      for (const { type, bytes } of readServer(chunk)) {
        if (type === READY) answered++;
        // The first ReadyForQuery ends the start-up and answers nothing.
        if (deadline !== null && answered - 1 >= deadline) return strike();
        client.write(bytes);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    cutAt: (nth, when) => {
      const mine: Plan = { left: nth, when, struck: false };
      plan = mine;
      return {
        struck: () => mine.struck,
        clear: () => {
          if (plan === mine) plan = null;
        },
      };
    },
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const cut of [...open]) cut();
      await closed;
    },
  };
}

/** Cuts a stream into whole messages: a type byte, four bytes of length that count themselves, the rest. */
function messageReader(): (chunk: Buffer) => Message[] {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    const messages: Message[] = [];
    while (rest.length >= 5) {
      const length = 1 + rest.readUInt32BE(1);
      if (rest.length < length) break;
      messages.push({ type: String.fromCharCode(rest[0] ?? 0), bytes: rest.subarray(0, length) });
      rest = rest.subarray(length);
    }
    return messages;
  };
}
