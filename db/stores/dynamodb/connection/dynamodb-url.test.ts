import { expect, test } from "vitest";
import { addressOf, placeOfUrl, problemOfUrl } from "./dynamodb-url.ts";

test.each([
  ["dynamodb://eu-central-1", { region: "eu-central-1", endpoint: null }, "dynamodb.eu-central-1.amazonaws.com"],
  [
    "dynamodb://eu-central-1?endpoint=http%3A%2F%2F127.0.0.1%3A8000",
    { region: "eu-central-1", endpoint: "http://127.0.0.1:8000" },
    "127.0.0.1:8000/eu-central-1",
  ],
])("%s names a region, and perhaps another server", (url, place, address) => {
  expect(placeOfUrl(url)).toEqual(place);
  expect(problemOfUrl(url)).toBeNull();
  expect(addressOf(url, {})).toBe(address);
});

test.each([
  [{ AWS_ENDPOINT_URL: "http://127.0.0.1:8000" }, "127.0.0.1:8000/eu-central-1"],
  [
    { AWS_ENDPOINT_URL: "http://127.0.0.1:1", AWS_ENDPOINT_URL_DYNAMODB: "http://127.0.0.1:2" },
    "127.0.0.1:2/eu-central-1",
  ],
  [
    { AWS_ENDPOINT_URL: "http://127.0.0.1:1", AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: "true" },
    "dynamodb.eu-central-1.amazonaws.com",
  ],
  [{ AWS_ENDPOINT_URL: "no url" }, "dynamodb.eu-central-1.amazonaws.com"],
])("with the environment %j the SDK asks %s", (env, address) => {
  expect(addressOf("dynamodb://eu-central-1", env)).toBe(address);
});

test("the address of a region in China has its own ending", () => {
  expect(addressOf("dynamodb://cn-north-1", {})).toBe("dynamodb.cn-north-1.amazonaws.com.cn");
});

test.each([
  "no url",
  "mysql://host/shop",
  "dynamodb://",
  "dynamodb://eu?endpoint=ftp://x",
  "dynamodb://eu?endpoint=http://user:secret@x",
])("%s is refused, and none of it is repeated", (url) => {
  expect(problemOfUrl(url)).toMatch(/^must be dynamodb:/);
  expect(`${problemOfUrl(url)} ${addressOf(url)}`).not.toContain("secret");
});
