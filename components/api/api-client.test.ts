import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { apiPost, apiReadBy } from "./api-client.ts";

const answers: ((response: Response) => void)[] = [];
const sent = vi.fn((_path: string, _init?: RequestInit) => new Promise<Response>((resolve) => answers.push(resolve)));
vi.stubGlobal("fetch", sent);
// Other files share the worker.
afterAll(() => void vi.unstubAllGlobals());

const answer = (body: unknown, status = 200) => answers.shift()?.(Response.json(body, { status }));
const retry = (reason: string) =>
  apiPost(z.object({ id: z.number() }), "/api/v1/outboxes/orders/operations", { reason });

afterEach(() => sent.mockClear());

test("a command that is pressed twice is sent once, and both get its answer", async () => {
  const both = [retry("repaired"), retry("repaired")];
  answer({ id: 1 });
  expect(await Promise.all(both)).toEqual([{ id: 1 }, { id: 1 }]);
  expect(sent).toHaveBeenCalledTimes(1);
});

test("another command, and the same one after its answer or its failure, are sent", async () => {
  const [first, other] = [retry("repaired"), retry("again")];
  answer({ error: { code: "unavailable", message: "silent" } }, 503);
  answer({ id: 2 });
  await expect(first).rejects.toThrow("silent");
  expect(await other).toEqual({ id: 2 });
  const later = retry("repaired");
  answer({ id: 3 });
  expect(await later).toEqual({ id: 3 });
  expect(sent).toHaveBeenCalledTimes(3);
});

describe("a request without an answer", () => {
  const limits: { ms: number; end: () => void }[] = [];
  beforeEach(() => {
    limits.length = 0;
    vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
      const limit = new AbortController();
      limits.push({ ms, end: () => limit.abort(new DOMException("", "TimeoutError")) });
      return limit.signal;
    });
    sent.mockImplementation(
      (_path, init) =>
        new Promise((_, reject) => {
          init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
        }),
    );
  });
  afterEach(() => vi.restoreAllMocks());

  test("is given up, and the same command is then sent again", async () => {
    const first = retry("repaired");
    limits[0]?.end();
    await expect(first).rejects.toMatchObject({ status: 0, message: expect.stringContaining("No answer within 75 s") });
    const again = retry("repaired");
    expect(sent).toHaveBeenCalledTimes(2);
    limits[1]?.end();
    await expect(again).rejects.toMatchObject({ status: 0 });
  });

  test("ends sooner if it only reads, also with a body", async () => {
    const preview = apiReadBy(z.object({}), "/api/v1/outboxes/orders/operations/preview", {});
    expect(limits.map(({ ms }) => ms)).toEqual([8_000]);
    limits[0]?.end();
    await expect(preview).rejects.toThrow("No answer within 8 s");
  });
});
