import { expect, test } from "vitest";
import type { MappedColumn, OutboxMapping } from "../../port/mapping.ts";
import { type CopyColumn, copyPlan } from "./copy-plan.ts";

const mapped = (name: string, type = "text", more: Partial<MappedColumn> = {}): MappedColumn => ({
  ...{ name, type, nullable: false, from: "shape" },
  ...more,
});
const column = (name: string, more: Partial<CopyColumn> = {}): CopyColumn => ({
  ...{ name, nullable: false, generated: false, counts: false, filled: false, uuid: false },
  ...more,
});
const TIME = { time: { kind: "timestamptz" } } as const;
const ID = mapped("id", "uuid");
const MAPPING: OutboxMapping = {
  ...{
    table: { schema: "public", name: "outbox" },
    primaryKey: [ID],
    deadAttempts: null,
    archiveTable: null,
    shape: "generic",
  },
  columns: {
    id: ID,
    payload: mapped("payload"),
    createdAt: mapped("created_at", "timestamptz", TIME),
    attempts: mapped("attempts"),
  },
  lifecycle: { kind: "timestamp", column: mapped("published_at", "timestamptz", { nullable: true, ...TIME }) },
};
const COLUMNS = [
  column("id", { uuid: true }),
  column("payload"),
  column("created_at"),
  column("attempts"),
  column("published_at", { nullable: true }),
  column("tenant"),
  column("total", { generated: true }),
];
const kinds = (mapping: OutboxMapping, columns = COLUMNS) => {
  const plan = copyPlan(mapping, columns);
  return "no" in plan ? plan.no : Object.fromEntries([...plan.values].map(([name, { kind }]) => [name, kind]));
};

test("a copy is a new, pending message, and what the mapping does not know comes from the original", () => {
  expect(kinds(MAPPING)).toEqual({
    ...{ id: "uuid", payload: "payload", created_at: "now", attempts: "zero", published_at: "null", tenant: "copied" },
  });
});

test("keys that count are given by the database; of a composite key one part has to be new", () => {
  const serial = [column("id", { counts: true, filled: true }), ...COLUMNS.slice(1)];
  expect(kinds(MAPPING, serial)).toMatchObject({ id: "default" });
  const tenant = mapped("tenant");
  expect(kinds({ ...MAPPING, primaryKey: [tenant, ID] })).toMatchObject({ tenant: "copied", id: "uuid" });
});

test("what the console cannot make is refused with a sentence", () => {
  const plainKey = [column("id"), ...COLUMNS.slice(1)];
  expect(kinds(MAPPING, plainKey)).toMatch(/cannot make a new value of id \(uuid\)/);
  const eventId = { ...MAPPING, columns: { ...MAPPING.columns, id: mapped("tenant") } };
  expect(kinds(eventId)).toMatch(/cannot make a new value of tenant/);
  const order = { ...MAPPING, columns: { ...MAPPING.columns, order: mapped("tenant", "bigint") } };
  expect(kinds(order)).toMatch(/order column tenant has no default/);
  expect(kinds({ ...MAPPING, lifecycle: { kind: "log" } })).toMatch(/No row of this table says/);
  expect(kinds({ ...MAPPING, primaryKey: [] })).toMatch(/no primary key/);
  const guessed = {
    kind: "status",
    column: mapped("status"),
    inFlight: [],
    failed: [],
    published: [],
    dead: [],
    expired: [],
  } as const;
  const unnamed = { ...MAPPING, lifecycle: { ...guessed, pending: [] } } as unknown as OutboxMapping;
  expect(kinds(unnamed, [...COLUMNS, column("status")])).toMatch(/which word of status means pending/);
});
