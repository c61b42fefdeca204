import { expect, test } from "vitest";
import { EachOutbox } from "./each-outbox.ts";

/** Turns that last until the test ends them. */
function openTurns(options: { atOnce: number }) {
  const stopping = new AbortController();
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const each = new EachOutbox<{ name: string; store: { name: string } }>({
    work: ({ name }) => {
      begun.push(name);
      return new Promise((resolve) => ends.set(name, resolve));
    },
    onError: () => undefined,
    largestShare: 1,
    signal: stopping.signal,
    ...options,
  });
  const end = (name: string) => (ends.get(name) ?? expect.unreachable())();
  const start = (...names: string[]) =>
    each.start(names.map((name) => ({ name, store: { name: name.split(".")[0] ?? "" } })));
  return { each, begun, end, start, stop: () => stopping.abort() };
}

test("a store has so many turns at once; the others wait in order, and delay no other store", async () => {
  const { begun, end, start } = openTurns({ atOnce: 2 });
  start("a.1", "a.2", "a.3", "a.4", "b.1");
  await expect.poll(() => begun).toEqual(["a.1", "a.2", "b.1"]);
  end("a.2");
  await expect.poll(() => begun).toEqual(["a.1", "a.2", "b.1", "a.3"]);
});

test("an outbox that had its turn waits behind those that had none", async () => {
  const { begun, end, start } = openTurns({ atOnce: 1 });
  const all = ["a.1", "a.2", "a.3"];
  start(...all);
  await expect.poll(() => begun).toEqual(["a.1"]);
  end("a.1");
  await expect.poll(() => begun.at(-1)).toBe("a.2");
  start(...all);
  end("a.2");
  await expect.poll(() => begun.at(-1)).toBe("a.3");
  end("a.3");
  await expect.poll(() => begun).toEqual([...all, "a.1"]);
});

test("after the abort no turn begins, and those that waited are not waited for", async () => {
  const { each, begun, end, start, stop } = openTurns({ atOnce: 1 });
  start("a.1", "a.2", "a.3");
  await expect.poll(() => begun).toEqual(["a.1"]);
  stop();
  end("a.1");
  await each.settle();
  start("a.1");
  await each.settle();
  expect(begun).toEqual(["a.1"]);
});
