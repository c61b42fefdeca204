import { afterEach, beforeEach, expect, test } from "vitest";
import { type HttpReceiver, startHttpReceiver } from "./http-receiver.ts";

let receiver: HttpReceiver;

beforeEach(async () => {
  receiver = await startHttpReceiver();
});

afterEach(() => receiver.close());

const post = (body: string, signal?: AbortSignal) => fetch(`${receiver.url}/events`, { method: "POST", body, signal });

test("records requests in order with their bytes and headers", async () => {
  await post("one");
  await post("two");
  const requests = await receiver.waitForRequests(2);
  expect(requests.map((request) => [request.index, request.path, request.body.toString()])).toEqual([
    [0, "/events", "one"],
    [1, "/events", "two"],
  ]);
});

test("gives queued answers first, then the standing one", async () => {
  receiver.answerWith(({ body }) => ({ status: body.toString() === "poison" ? 422 : 200, body: "noted" }));
  receiver.answerNext({ status: 503, headers: { "retry-after": "1" } });
  expect((await post("poison")).status).toBe(503);
  expect((await post("poison")).status).toBe(422);
  expect(await (await post("good")).text()).toBe("noted");
});

test("can close the connection, or never answer", async () => {
  receiver.answerNext("close", "hang");
  await expect(post("a")).rejects.toThrow();
  const impatience = new AbortController();
  const hanging = post("b", impatience.signal);
  await receiver.waitForRequests(2);
  impatience.abort();
  await expect(hanging).rejects.toThrow(/abort/i);
});
