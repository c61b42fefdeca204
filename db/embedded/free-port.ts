import { createServer } from "node:net";

/** Returns a loopback port that is free now. Another process may take it first, so be ready to ask again. */
export function findFreePort(): Promise<number> {
  return listenOnce(0).then((port) => {
    if (port === null) throw new Error("The system has no free loopback port to give.");
    return port;
  });
}

export async function isPortFree(port: number): Promise<boolean> {
  return (await listenOnce(port)) !== null;
}

function listenOnce(port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(null));
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(address !== null && typeof address === "object" ? address.port : null));
    });
  });
}
