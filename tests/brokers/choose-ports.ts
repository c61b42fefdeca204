import { randomInt } from "node:crypto";
import { isPortFree } from "#db/embedded/free-port.ts";

/** Below the ephemeral range: an outgoing connection could otherwise take a broker's port while the broker is down. */
const [LOWEST, BELOW] = [15_000, 32_000];

/** Distinct loopback ports that are free now. */
export async function choosePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) {
    const port = randomInt(LOWEST, BELOW);
    if (await isPortFree(port)) ports.add(port);
  }
  return [...ports];
}
