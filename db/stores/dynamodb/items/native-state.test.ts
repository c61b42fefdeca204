import { expect, test } from "vitest";
import type { MappedColumn, OutboxMapping } from "../../port/mapping.ts";
import { nativeStateOf } from "./native-state.ts";

const NOW = "2026-03-01T12:00:00.000000Z";
const column = (name: string, more: Partial<MappedColumn> = {}): MappedColumn => ({
  ...{ name, type: "S", nullable: true, from: "shape" },
  ...more,
});
const sentAt = column("sent_at", { time: { kind: "timestamptz" } });
const mapping: OutboxMapping = {
  table: { schema: "", name: "outbox" },
  primaryKey: [column("id")],
  columns: {
    id: column("id"),
    payload: column("payload"),
    publishedAt: sentAt,
    expiresAt: column("expires_at", { type: "N", time: { kind: "epoch", unit: "s" } }),
  },
  lifecycle: { kind: "timestamp", column: sentAt },
  deadAttempts: null,
  archiveTable: null,
  shape: "generic",
};
const item = { id: { S: "a" }, payload: { S: "{}" } };

test.each([
  ["without a time was not published", {}, { published: false, unknown: false }],
  ["with a time was published", { sent_at: { S: NOW } }, { published: true, unknown: false }],
  ["with a zero time is unknown", { sent_at: { S: "0001-01-01T00:00:00Z" } }, { published: false, unknown: true }],
  ["with an empty time is unknown", { sent_at: { S: "" } }, { published: false, unknown: true }],
  ["whose expiry is 0 never expires", { expires_at: { N: "0" } }, { expired: false }],
  ["whose expiry has passed has expired", { expires_at: { N: "1700000000" } }, { expired: true }],
])("an item %s", (_, more, state) => {
  expect(nativeStateOf({ ...item, ...more }, mapping, NOW)).toMatchObject(state);
});

const counted: OutboxMapping = {
  ...mapping,
  columns: {
    ...mapping.columns,
    attempts: column("receives", { type: "N" }),
    lastError: column("error"),
    availableAt: column("visible_at", { time: { kind: "timestamptz" } }),
  },
};
const begun = { receives: { N: "1" }, visible_at: { S: "2026-03-01T12:01:00Z" } };
const hides: OutboxMapping = {
  ...counted,
  claim: {
    marked: { column: column("receives"), atLeast: 1 },
    ends: { column: column("visible_at", { time: { kind: "timestamptz" } }), lapses: true },
  },
};

test.each([
  [
    "begun and without an error has not failed",
    { ...counted, errorOfFirst: column("error") },
    begun,
    { failed: false },
  ],
  [
    "with an error has failed",
    { ...counted, errorOfFirst: column("error") },
    { ...begun, error: { S: "boom" } },
    { failed: true },
  ],
  [
    "tried twice has failed",
    { ...counted, errorOfFirst: column("error") },
    { ...begun, receives: { N: "2" } },
    { failed: true },
  ],
  ["received and hidden is in flight", hides, begun, { inFlight: true }],
  ["never received is not", hides, { ...begun, receives: { N: "0" } }, { inFlight: false }],
  [
    "received and visible again is not",
    hides,
    { ...begun, visible_at: { S: "2026-03-01T11:59:00Z" } },
    { inFlight: false, claimExpired: false },
  ],
  ["received with an error is not", hides, { ...begun, error: { S: "boom" } }, { inFlight: false, failed: true }],
])("an item %s", (_, by, more, state) => {
  expect(nativeStateOf({ ...item, ...more }, by, NOW)).toMatchObject(state);
});
