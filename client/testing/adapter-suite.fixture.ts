import { describe, test } from "vitest";
import type { Adapter } from "../sql/adapter.ts";
import { inboxContract } from "./inbox-contract.ts";
import { outboxContract } from "./outbox-contract.ts";

interface AdapterUnderTest<Tx, Db> {
  via: Adapter<Tx, Db>;
  db(): Db;
  outside(use: (handle: Tx) => Promise<void>): Promise<void>;
}

/** Both contract suites over tables of the recommended layout, named outbox and inbox. */
export function adapterSuite<Tx, Db>(harness: AdapterUnderTest<Tx, Db>): void {
  describe("outbox", () => {
    for (const { name, run } of outboxContract({ ...harness, layout: {} })) test(name, run);
  });
  describe("inbox", () => {
    for (const { name, run } of inboxContract({ ...harness, layout: {}, effects: {} })) test(name, run);
  });
}
