import { expect, test } from "vitest";
import { LazyScript } from "./lazy-script.ts";

const Part = () => null;

test("a script is asked for once, however often it is used", async () => {
  let asked = 0;
  const script = new LazyScript(() => {
    asked += 1;
    return Promise.resolve(Part);
  });
  await Promise.all([script.load(), script.load()]);
  await script.load();
  expect(asked).toBe(1);
  expect(script.loaded).toBe(Part);
});

test("after a failure the next use asks again", async () => {
  const answers = [() => Promise.reject(new Error("offline")), () => Promise.resolve(Part)];
  const script = new LazyScript(() => answers.shift()?.() ?? Promise.resolve(Part));
  await expect(script.load()).rejects.toThrow("offline");
  expect(script.loaded).toBeUndefined();
  await script.load();
  expect(script.loaded).toBe(Part);
});

test("an early load that fails is no unhandled rejection, and spoils nothing", async () => {
  const answers = [() => Promise.reject(new Error("offline")), () => Promise.resolve(Part)];
  const script = new LazyScript(() => answers.shift()?.() ?? Promise.resolve(Part));
  script.preload();
  await expect(script.load()).rejects.toThrow("offline");
  await script.load();
  expect(script.loaded).toBe(Part);
});
