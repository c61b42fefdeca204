import { expect, test } from "vitest";
import { readAtMost } from "./read-at-most.ts";

test("a short answer is read whole", async () => {
  expect(await readAtMost(new Response("größer"), 100)).toEqual({ text: "größer", whole: true });
  expect(await readAtMost(new Response(null), 100)).toEqual({ text: "", whole: true });
});

test("an answer without an end is read to the limit, and then no more", async () => {
  let ended = false;
  const body = new ReadableStream<Uint8Array>({
    pull: (stream) => stream.enqueue(new TextEncoder().encode("0123456789")),
    cancel: () => {
      ended = true;
    },
  });
  expect(await readAtMost(new Response(body), 25)).toEqual({ text: "0123456789012345678901234", whole: false });
  expect(ended).toBe(true);
});
