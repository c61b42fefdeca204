import { expect, test } from "vitest";
import { testDatabase } from "../../tests/postgres.ts";
import { canonicalUuid, isUuid } from "./uuid.ts";

const database = testDatabase("empty");
const DIGITS = "0191f2A0b3c47d5e8f90a1b2c3d4e5f6";
const hyphenAfter = (places: readonly number[]) =>
  [...DIGITS].map((digit, at) => (places.includes(at + 1) ? `${digit}-` : digit)).join("");
const usual = hyphenAfter([8, 12, 16, 20]);

test.each([
  usual,
  DIGITS,
  `{${usual}}`,
  `{${DIGITS}}`,
  hyphenAfter([4, 8, 12, 16, 20, 24, 28]),
  hyphenAfter([4]),
  hyphenAfter([7]),
  hyphenAfter([2]),
  `{{${DIGITS}`,
  `{${DIGITS}`,
  `${DIGITS}}`,
  `{{${DIGITS}}}`,
  `${DIGITS}-`,
  `-${DIGITS}`,
  usual.replace("-", "--"),
  `${DIGITS}0`,
  DIGITS.slice(1),
  `${DIGITS}\n`,
])("the text %j is a UUID if Postgres takes it", async (text) => {
  const taken = await database()
    .pool.query("SELECT $1::uuid::text AS id", [text])
    .then(
      ({ rows }) => rows[0].id,
      () => null,
    );
  expect(isUuid(text)).toBe(taken !== null);
  if (taken !== null) expect(canonicalUuid(text)).toBe(taken);
});
