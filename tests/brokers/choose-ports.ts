import { randomInt } from "node:crypto";
import { isPortFree } from "#db/embedded/free-port.ts";

/** Below what systems give to outgoing connections: one of those could take a broker's port while the broker is down. */
const [LOWEST, BELOW] = [15_000, 32_000];

/** Loopback ports that nobody listens on at this moment, all different. */
export async function choosePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) {
    const port = randomInt(LOWEST, BELOW);
    if (await isPortFree(port)) ports.add(port);
  }
  return [...ports];
}
