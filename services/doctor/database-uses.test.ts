import { expect, test } from "vitest";
import { configSchema } from "../config/config-schema.ts";
import { databaseUses } from "./database-uses.ts";

const relayConnections = (relays: number, store: { relayConnections?: number } = {}) => {
  const outbox = (n: number) => [`box${n}`, { table: `public.box${n}`, mode: "relay", relay: { sink: "events" } }];
  const config = configSchema.parse({
    stores: { default: { kind: "postgres", url: "postgres://app@db/shop", ...store } },
    sinks: { events: { kind: "log" } },
    outboxes: Object.fromEntries(Array.from({ length: relays }, (_, n) => outbox(n))),
  });
  // The store's reads, writes and pings come first, the relays' connections second.
  return databaseUses(config, { processes: ["worker"], env: {} })[1]?.connections;
};

test("doctor counts four connections for a relay, and those that the relays of a store share", () => {
  expect([1, 5, 6, 40].map((relays) => relayConnections(relays))).toEqual([4, 20, 20, 20]);
  expect(relayConnections(40, { relayConnections: 30 })).toBe(30);
});
