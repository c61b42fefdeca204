import { expect, test } from "vitest";
import { bulkSettingsSchema } from "#contracts/message/operations.ts";
import { DEFAULT_INPUT, readSettings } from "./settings-input.ts";

test("nothing typed is the default of the contract", () => {
  expect(readSettings(DEFAULT_INPUT)).toEqual({ settings: bulkSettingsSchema.parse({}), problems: {} });
});

test("numbers are read as typed, with or without thousands", () => {
  const { settings } = readSettings({ ratePerSecond: "2.5", rampSeconds: "30", canary: "1,000", haltPercent: "50" });
  expect(settings).toEqual({ ratePerSecond: 2.5, rampSeconds: 30, canary: 1000, haltPercent: 50 });
});

test("each wrong field says what it takes, and nothing is sent", () => {
  const { settings, problems } = readSettings({
    ratePerSecond: "0",
    rampSeconds: "soon",
    canary: "1.5",
    haltPercent: "20",
  });
  expect(settings).toBeNull();
  expect(problems).toEqual({
    ratePerSecond: "More than 0, at most 10,000.",
    rampSeconds: "0 to 3,600 s.",
    canary: "0 to 1,000 messages.",
  });
});
