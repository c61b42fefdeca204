import { expect, test } from "vitest";
import { testDatabase } from "#tests/postgres.ts";
import { recordsOver } from "./open-records.ts";
import type { NewViewRow } from "./views.ts";
import type { ConsoleAuditRecord } from "./write-audit.ts";

const database = testDatabase("migrated");
const audit: ConsoleAuditRecord = {
  ...{ actor: { name: "ada", role: "admin" }, action: "view.rename", outbox: "orders", inbox: null, outcome: "done" },
  ...{ reason: null, detail: null },
};
const view = (name: string): NewViewRow => ({
  ...{ outbox: "orders", name, query: {}, columns: [], createdBy: "ada" },
});

test("of views that are renamed to one name at once, one gets it and the others are refused", async () => {
  const records = recordsOver(database().pool);
  for (let round = 0; round < 5; round += 1) {
    const names = ["a", "b", "c", "d"].map((name) => `${name}${round}`);
    for (const name of names) await records.saveView(view(name), 100, audit);
    const ids = (await records.views("orders")).filter(({ name }) => names.includes(name)).map(({ id }) => id);
    const answers = await Promise.all(
      ids.map((id) => records.renameView({ outbox: "orders", id, name: `one ${round}` }, audit)),
    );
    expect(answers.toSorted()).toEqual([false, false, false, true]);
  }
});

test("views that are saved at once do not exceed the limit", async () => {
  const records = recordsOver(database().pool);
  const before = (await records.views("orders")).length;
  await Promise.all(Array.from({ length: 6 }, (_, n) => records.saveView(view(`at once ${n}`), before + 2, audit)));
  expect(await records.views("orders")).toHaveLength(before + 2);
});

test("notes that are written at once do not exceed the limit of an incident", async () => {
  const records = recordsOver(database().pool);
  const { row } = await records.openIncident(
    { ...{ title: "down", openedBy: "ada", lead: null, outboxes: [], failureGroup: null, since: null, besides: [] } },
    audit,
  );
  const note = { kind: "note", text: "x", most: 3 } as const;
  const answers = await Promise.all(Array.from({ length: 6 }, () => records.changeIncident(row.id, note, audit)));
  expect(answers.filter((done) => done)).toHaveLength(2);
  expect((await records.incident(row.id))?.entries).toHaveLength(3);
});
