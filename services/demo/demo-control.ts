import { type Demo, demoSchema } from "#contracts/demo.ts";
import { AppError } from "#domain/errors.ts";

const TIMEOUT_MS = 5000;

/**
 * The demo's faults, from its own control server; empty if no demo was started with this console. Throws: unavailable.
 */
export async function readDemo(): Promise<Demo> {
  return process.env.DEMO_CONTROL_PORT ? ask("GET") : { faults: [], ordersPerSecond: 0 };
}

/** Throws: not_found; unavailable. */
export function switchFault(request: { fault: string; active: boolean }): Promise<Demo> {
  return ask("POST", request);
}

async function ask(method: "GET" | "POST", body?: unknown): Promise<Demo> {
  const port = process.env.DEMO_CONTROL_PORT;
  if (!port) throw new AppError("not_found", "No demo runs here.");
  const response = await fetch(`http://127.0.0.1:${port}/faults`, {
    method,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...(body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  }).catch((error: unknown) => {
    throw new AppError("unavailable", "The demo does not answer.", { cause: error });
  });
  if (!response.ok) throw new AppError("unavailable", "The demo refused to switch the fault; its log says why.");
  return demoSchema.parse(await response.json());
}
