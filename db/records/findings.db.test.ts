import { expect, test } from "vitest";
import { testDatabase } from "#tests/postgres.ts";
import { type FoundInput, readOpenFindings, writeFindings } from "./findings.ts";

const database = testDatabase("migrated");

const write = async (findings: FoundInput["findings"]) => {
  const client = await database().pool.connect();
  try {
    await writeFindings(client, { outbox: "orders", findings, unread: [] });
  } finally {
    client.release();
  }
};

test("a finding with half of a character, or one that text of Postgres cannot hold, is kept, found again and closed", async () => {
  const broken = "50 % \ud83d\u0000";
  const finding = { rule: "consumer", subject: broken, since: null, detail: { title: broken, evidence: [broken] } };
  await write([finding, { ...finding, subject: `${broken}\u0000` }]);
  const [kept, ...others] = await readOpenFindings(database().pool, "orders");
  expect(others).toEqual([]);
  expect(kept).toMatchObject({ subject: "50 % \ufffd", detail: { title: "50 % \ufffd", evidence: ["50 % \ufffd"] } });
  await write([finding]);
  expect(await readOpenFindings(database().pool, "orders")).toEqual([kept]);
  await write([]);
  expect(await readOpenFindings(database().pool, "orders")).toEqual([]);
});
