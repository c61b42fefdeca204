import { expect, test } from "vitest";
import { fitsType } from "./fits-type.ts";

test.each([
  ["tinyint", "127", "128"],
  ["tinyint unsigned", "255", "-1"],
  ["bigint", "-9223372036854775808", "9223372036854775808"],
  ["bigint unsigned", "18446744073709551615", "18446744073709551616"],
  ["int", "5", "5 "],
  ["bit(1)", "1", "x"],
  ["decimal(10,2)", "-1.50", "1e5"],
  ["binary(16)", "00112233-4455-6677-8899-aabbccddeeff", "0011"],
  ["varbinary(20)", "00ff", "0f0"],
  ["uuid", "00112233445566778899aabbccddeeff", "x"],
  ["datetime(6)", "2026-02-28T10:00:00.000001", "2026-02-30T10:00:00"],
  ["timestamp", "2026-02-28T10:00:00Z", "now"],
  ["date", "2026-02-28", "2026-13-01"],
])("a %s can be %s and not %s", (type, fitting, other) => {
  expect([fitsType(fitting, type), fitsType(other, type)]).toEqual([true, false]);
});

test.each(["varchar(10)", "longtext", "enum('a')", "json", "geometry"])("a %s can be any text", (type) => {
  expect(fitsType("漢字 \0 '", type)).toBe(true);
});
