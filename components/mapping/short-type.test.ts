import { expect, test } from "vitest";
import { shortType } from "./short-type.ts";

test.each([
  ["timestamp with time zone", "timestamptz"],
  ["timestamp(3) without time zone", "timestamp(3)"],
  ["character varying(255)", "varchar(255)"],
  ["jsonb", "jsonb"],
  ["datetime(6)", "datetime(6)"],
])("%s is shown as %s", (type, short) => {
  expect(shortType(type)).toBe(short);
});
