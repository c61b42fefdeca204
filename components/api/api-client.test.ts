import { afterEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { apiPost } from "./api-client.ts";

const answers: ((response: Response) => void)[] = [];
const sent = vi.fn(() => new Promise<Response>((resolve) => answers.push(resolve)));
vi.stubGlobal("fetch", sent);

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
