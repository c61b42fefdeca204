import { expect, test, vi } from "vitest";
import { errorOfAttempt } from "./one-attempt.ts";

test("one attempt serves all who ask within a second, and the next one is made anew", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const of = {};
  let made = 0;
  const attempt = () => {
    made += 1;
    return made === 1 ? Promise.reject(new Error("full")) : Promise.resolve();
  };
  const errors = await Promise.all([errorOfAttempt(of, attempt), errorOfAttempt(of, attempt)]);
  expect(errors).toEqual([new Error("full"), new Error("full")]);
  expect(await errorOfAttempt({}, () => Promise.resolve()), "of another server").toBeNull();
  vi.advanceTimersByTime(1001);
  expect(await errorOfAttempt(of, attempt)).toBeNull();
  expect(made).toBe(2);
  vi.useRealTimers();
});
