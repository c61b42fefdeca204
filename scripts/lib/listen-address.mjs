import { createServer } from "node:net";
import { commandText } from "./project.mjs";
import { Sentence } from "./stop-with-sentence.mjs";

/**
 * @param {Record<string, string | undefined>} [env]
 * @returns {{ host: string, port: number, url: string }} where the console listens, from HOST and PORT
 */
export function listenAddress(env = process.env) {
  const host = env.HOST || "127.0.0.1";
  const port = Number(env.PORT || 3000);
  if (!Number.isInteger(port) || port < 1 || port > 65535) {
    throw new Sentence(`PORT is "${env.PORT}", which is not a port. Give a number between 1 and 65535.`);
  }
  const reachable = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return { host, port, url: `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}` };
}

/** @param {{ host: string, port: number }} address */
export async function refuseTakenPort({ host, port }) {
  const problem = await new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error) => resolve(error.code ?? "unknown"));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)));
  });
  if (problem === null) return;
  if (problem === "EADDRINUSE") {
    throw new Sentence(
      `Port ${port} on ${host} is taken by another program. Stop that, or choose another: PORT=${port + 1} ${commandText("start")}`,
    );
  }
  if (problem === "EACCES") {
    throw new Sentence(
      `This user may not listen on port ${port}. Choose one above 1023: PORT=3000 ${commandText("start")}`,
    );
  }
  throw new Sentence(`The console cannot listen on ${host} port ${port} (${problem}). Check HOST and PORT.`);
}
