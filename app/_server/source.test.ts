import { expect, test, vi } from "vitest";
import { parseConfig } from "#services/config/load-config.ts";
import { takeOver } from "#services/config/take-over.ts";
import { PEER_HEADER } from "./peer-header.ts";
import { sourceOf } from "./source.ts";

vi.mock("server-only", () => ({}));

const configOf = (trustedProxies: string) =>
  parseConfig(
    `{ stores: { shop: { kind: postgres, url: "postgres://db/shop" } }, console: { trustedProxies: [${trustedProxies}] } }`,
    {},
    "test",
  );
const request = { headers: new Headers({ [PEER_HEADER]: "10.1.0.7", "x-forwarded-for": "192.0.2.4" }) };

test("an address is taken from the proxies that are trusted, also after the file has changed", () => {
  const config = configOf("10.1.0.7");
  expect(sourceOf(config, request)).toBe("192.0.2.4");
  const { settings } = takeOver(config, configOf("10.2.0.0/16"));
  expect(settings).toEqual(['console.trustedProxies: ["10.1.0.7"] → ["10.2.0.0/16"]']);
  expect(sourceOf(config, request)).toBe("10.1.0.7");
});
