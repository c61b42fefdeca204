import { expect, test } from "vitest";
import { fromStored, type StoredFingerprint, toStored } from "./stored-fingerprint.ts";

const id = { name: "id", type: "uuid", number: 1, typeOid: 2950, typeModifier: -1 };
const payload = { name: "payload", type: "character varying(36)", number: 3, typeOid: 1043, typeModifier: 40 };

/** As a version of this program that is in use has written it. */
const STORED: StoredFingerprint = {
  table: { schema: "public", name: "outbox" },
  oid: 16_400,
  primaryKey: [id],
  columns: { id, payload },
  lifecycle: { kind: "timestamp", column: "published_at", words: null, declared: null },
  all: ["id", "published_at", "payload"],
};

test("a fingerprint that was stored is written again as it was, so that statements find it equal", () => {
  expect(toStored(fromStored(STORED))).toEqual(STORED);
});

test("the port's form tells types, places and tables apart, and names no OID", () => {
  const { key, columns } = fromStored(STORED);
  expect(key).toBe("16400");
  expect(columns.payload).toEqual({ name: "payload", type: "character varying(36)", number: 3, typeKey: "1043:40" });
});
