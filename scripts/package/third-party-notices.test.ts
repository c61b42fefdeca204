import { expect, test } from "vitest";
import { ROOT } from "../lib/project.mjs";
import { noticesText, thirdParties } from "./third-party-notices.ts";

/** May be passed on within a package under MIT, with their texts. */
const ALLOWED = new Set([
  ...["MIT", "ISC", "0BSD", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "Unlicense", "CC0-1.0", "CC-BY-4.0"],
  ...["MPL-2.0", "BlueOak-1.0.0", "OFL-1.1", "SIL OPEN FONT LICENSE"],
]);

const packages = thirdParties(ROOT);

test("every package that is shipped has a license that allows it", () => {
  expect(packages.length).toBeGreaterThan(50);
  const words = (license: string) => license.replace(/[()]/g, "").split(/ (?:OR|AND) /);
  expect(packages.filter(({ license }) => !words(license).every((word) => ALLOWED.has(word)))).toEqual([]);
});

test("the notices name each package with its version and its license's text", () => {
  const text = noticesText(packages);
  const pg = packages.find(({ name }) => name === "pg");
  expect(text).toContain(`pg ${pg?.version}: MIT`);
  expect(pg?.text).toContain("Permission is hereby granted");
  expect(packages.find(({ name }) => name === "next")?.license).toBe("MIT");
});
