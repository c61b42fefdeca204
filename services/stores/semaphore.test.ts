import { expect, test } from "vitest";
import { Semaphore } from "./semaphore.ts";

test("at most so many at once, in the order in which they came, and a failure gives its turn on", async () => {
  const turns = new Semaphore(2);
  const ends: (() => void)[] = [];
  const begun: number[] = [];
  const work = (name: number) => () => {
    begun.push(name);
    return new Promise<number>((resolve, reject) =>
      ends.push(() => (name === 2 ? reject(new Error("2")) : resolve(name))),
    );
  };
  const all = [1, 2, 3, 4].map((name) => turns.run(work(name)).catch(() => -name));
  await Promise.resolve();
  expect(begun).toEqual([1, 2]);
  ends[1]?.();
  await expect.poll(() => begun).toEqual([1, 2, 3]);
  ends[0]?.();
  await expect.poll(() => begun).toEqual([1, 2, 3, 4]);
  ends[2]?.();
  ends[3]?.();
  expect(await Promise.all(all)).toEqual([1, -2, 3, 4]);
});
