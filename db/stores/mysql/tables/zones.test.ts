import { expect, test } from "vitest";
import { fixedOffset } from "./zones.ts";

test.each([
  ["UTC", 0],
  ["Etc/UTC", 0],
  ["gmt", 0],
  ["Z", 0],
  ["+02:00", 120],
  ["-0530", -330],
  ["+5", 300],
  ["UTC+01:00", 60],
  ["Europe/Berlin", null],
  ["Etc/GMT+5", null],
])("%s is %s minutes east of UTC", (zone, minutes) => {
  expect(fixedOffset(zone)).toBe(minutes);
});
