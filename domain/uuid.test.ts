import { expect, test } from "vitest";
import { isLowerUuid, isUuid } from "./uuid.ts";

test.each([
  ["0f8fad5b-d9cb-469f-a165-70867728950e", true, true],
  ["0F8FAD5B-D9CB-469F-A165-70867728950E", true, false],
  ["0f8fad5b-d9cb-469f-a165-70867728950E", true, false],
  ["0f8fad5bd9cb469fa16570867728950e", false, false],
  ["{0f8fad5b-d9cb-469f-a165-70867728950e}", false, false],
  ["0f8fad5b-d9cb-469f-a165-70867728950e\n", false, false],
  ["0f8fad5b-d9cb-469f-a165-70867728950g", false, false],
  ["", false, false],
])("%j is a uuid: %s, in lower case: %s", (text, any, lower) => {
  expect([isUuid(text), isLowerUuid(text)]).toEqual([any, lower]);
});
