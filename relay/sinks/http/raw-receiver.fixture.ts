import { type AddressInfo, createServer, type Socket } from "node:net";

/** Called once for each complete request. `connection` counts the connections from 1. */
type RawAnswer = (socket: Socket, connection: number) => void;

export interface RawReceiver {
  url: string;
  /** Connections so far. */
  connections(): number;
  answerWith(answer: RawAnswer): void;
  close(): Promise<void>;
}

/** A receiver that answers with bytes, as no HTTP server of a library would. */
export async function startRawReceiver(host = "127.0.0.1"): Promise<RawReceiver> {
  const open = new Set<Socket>();
  let connections = 0;
  let answer: RawAnswer = (socket) => void socket.write("HTTP/1.1 204 No Content\r\n\r\n");
  const server = createServer((socket) => {
    open.add(socket);
    connections += 1;
    const connection = connections;
    let read = Buffer.alloc(0);
    socket.on("error", () => undefined);
    socket.on("data", (chunk) => {
      read = Buffer.concat([read, chunk]);
      for (let end = endOfRequest(read); end > 0; end = endOfRequest(read)) {
        read = read.subarray(end);
        answer(socket, connection);
      }
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${port}/events`,
    connections: () => connections,
    answerWith: (next) => {
      answer = next;
    },
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Length of the first request, or 0 while it is not complete. */
function endOfRequest(read: Buffer): number {
  const head = read.indexOf("\r\n\r\n");
  if (head < 0) return 0;
  const length = Number(/^content-length: (\d+)/im.exec(read.subarray(0, head).toString("latin1"))?.[1] ?? 0);
  const end = head + 4 + length;
  return read.length < end ? 0 : end;
}
