import { expect, test } from "vitest";
import { bulkSettingsSchema } from "#contracts/message/operations.ts";
import { describeSettings, describeTime, secondsFor } from "./settings-words.ts";

const DEFAULTS = bulkSettingsSchema.parse({});

test("the defaults are one sentence, without a canary where nothing is published", () => {
  expect(describeSettings("retry", DEFAULTS)).toBe(
    "10 first, and the rest once they are published; as fast as live messages allow. Halts when 20 % of the last 50 fail again.",
  );
  expect(describeSettings("archive", DEFAULTS)).toBe("As fast as live messages allow.");
});

test("a rate and its ramp are named, a ramp without a rate is not", () => {
  const settings = { ...DEFAULTS, ratePerSecond: 20, rampSeconds: 30, canary: 0 };
  expect(describeSettings("retry", settings)).toMatch(/^At most 20 a second, reached over 30 s\. Halts/);
  expect(describeSettings("archive", { ...settings, ratePerSecond: null })).toBe("As fast as live messages allow.");
});

test("the time follows rate and ramp, and is not guessed without a rate", () => {
  expect(secondsFor(3000, DEFAULTS)).toBeNull();
  expect(secondsFor(3000, { ...DEFAULTS, ratePerSecond: 20 })).toBe(150);
  expect(secondsFor(3000, { ...DEFAULTS, ratePerSecond: 20, rampSeconds: 30 })).toBe(165);
  expect(secondsFor(75, { ...DEFAULTS, ratePerSecond: 20, rampSeconds: 30 })).toBe(15);
});

test("where counting stopped, the time is a least one", () => {
  const settings = { ...DEFAULTS, ratePerSecond: 200 };
  expect(describeTime({ value: 3000, precision: "exact" }, settings)).toBe("About 15 s in all.");
  expect(describeTime({ value: 10_000, precision: "capped" }, settings)).toBe("At least 50 s in all.");
  expect(describeTime({ value: 0, precision: "unknown" }, settings)).toBeNull();
  expect(describeTime({ value: 3000, precision: "exact" }, DEFAULTS)).toBeNull();
});
