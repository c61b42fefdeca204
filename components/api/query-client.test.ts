import { QueryObserver } from "@tanstack/react-query";
import { expect, test, vi } from "vitest";
import { ApiError } from "./api-error.ts";
import { asInBrowser } from "./as-in-browser.fixture.ts";
import { sessionQuery } from "./queries.ts";
import { createQueryClient } from "./query-client.ts";

asInBrowser();

const failed = (status: number) => new ApiError({ status, code: "", message: "" });

/** Requests within a minute of a query that fails in this way, and is answered after 20 s. */
async function countRequests(status: number, options: { retry?: boolean } = {}): Promise<number> {
  const client = createQueryClient();
  const answersMs = Date.now() + 20_000;
  const read = vi.fn(() => (Date.now() < answersMs ? Promise.reject(failed(status)) : Promise.resolve({} as never)));
  const observer = new QueryObserver(client, { ...sessionQuery(), ...options, queryFn: read });
  const end = observer.subscribe(() => undefined);
  await vi.advanceTimersByTimeAsync(60_000);
  const isAnswered = observer.getCurrentResult().data !== undefined;
  end();
  client.clear();
  expect(isAnswered).toBe(read.mock.calls.length > 2);
  return read.mock.calls.length;
}

test("what a page reads once is asked for again until it is answered, and then no more", async () => {
  const count = await countRequests(503);
  expect(count).toBeGreaterThan(3);
  expect(count).toBeLessThan(12);
});

test("a refusal is an answer, and a dry run waits for a person", async () => {
  expect(await countRequests(403)).toBe(1);
  expect(await countRequests(503, { retry: false })).toBe(1);
});
