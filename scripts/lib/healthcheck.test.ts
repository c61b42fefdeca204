import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { healthcheck } from "./healthcheck.mjs";

afterEach(() => vi.restoreAllMocks());

async function serve(answers: Record<string, number>): Promise<string> {
  const server = createServer((request, response) => {
    response.writeHead(answers[request.url ?? ""] ?? 404);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return String((server.address() as AddressInfo).port);
}

function heard() {
  const said: string[] = [];
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, "write").mockImplementation((text) => said.push(String(text)) > 0);
  return said;
}

test("it asks the console's liveness, on loopback if it listens everywhere", async () => {
  const said = heard();
  const PORT = await serve({ "/api/health/live": 200 });
  expect(await healthcheck([], { HOST: "0.0.0.0", PORT })).toBe(0);
  expect(said).toEqual([`http://127.0.0.1:${PORT}/api/health/live is healthy.\n`]);
});

test("it asks the worker where WORKER_PORT is set, and the console if that is named", async () => {
  const said = heard();
  const WORKER_PORT = await serve({ "/livez": 200 });
  const PORT = await serve({ "/api/health/live": 503 });
  expect(await healthcheck([], { WORKER_PORT, PORT })).toBe(0);
  expect(await healthcheck(["console"], { WORKER_PORT, PORT })).toBe(1);
  expect(said.at(-1)).toBe(`http://127.0.0.1:${PORT}/api/health/live is not healthy: it answered 503.\n`);
});

test("it says why nothing answers, and refuses what it does not understand", async () => {
  const said = heard();
  expect(await healthcheck(["http://127.0.0.1:1/"], {})).toBe(1);
  expect(said.at(-1)).toMatch(/^http:\/\/127\.0\.0\.1:1\/ is not healthy: nothing answers \(.+\)\.\n$/);
  await expect(healthcheck(["relay"], {})).rejects.toThrow(/takes console, worker or a URL/);
  await expect(healthcheck(["worker"], {})).rejects.toThrow(/only where WORKER_PORT is set/);
});
