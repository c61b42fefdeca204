import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface WireProxy {
  port: number;
  /** Resets every open connection; new ones are accepted. */
  cutAll(): void;
  close(): Promise<void>;
}

/** A TCP proxy whose every connection can be cut. `join` has each side's bytes passed on. No TLS. */
export async function startProtocolProxy(
  target: { host: string; port: number },
  join: (client: Socket, upstream: Socket) => void,
): Promise<WireProxy> {
  const open = new Set<() => void>();
  const cutAll = () => {
    for (const cut of [...open]) cut();
  };
  const server = createServer((client) => {
    const upstream = connect(target);
    const cut = () => {
      open.delete(cut);
      // Data forwarded before the cut has been sent.
      for (const socket of [client, upstream]) socket.uncork();
      client.resetAndDestroy();
      upstream.destroy();
    };
    open.add(cut);
    for (const socket of [client, upstream]) {
      socket.setNoDelay(true);
      socket.on("error", cut);
      socket.on("close", cut);
    }
    join(client, upstream);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    cutAll,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      cutAll();
      await closed;
    },
  };
}

/**
 * Passes on the messages that are wanted. One write for all of a chunk: a result of hundreds of rows is hundreds of
 * messages.
 */
export function passOn<Message extends { bytes: Buffer }>(
  to: Socket,
  messages: readonly Message[],
  wants: (message: Message) => boolean,
): void {
  to.cork();
  for (const message of messages) if (wants(message) && !to.destroyed) to.write(message.bytes);
  to.uncork();
}
