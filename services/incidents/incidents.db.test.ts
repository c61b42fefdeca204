import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newDeploySchema } from "#contracts/watch/deploys.ts";
import { incidentQuerySchema, newIncidentSchema } from "#contracts/watch/incidents.ts";
import type { Actor } from "#domain/operator.ts";
import { OUTBOX_EVENTS } from "#tests/factories/layouts.ts";
import { contextOf, OPERATOR, openOperatedRuntime, VIEWER } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import { listAudit } from "../audit/list-audit.ts";
import { placeContext } from "../context.ts";
import { recordDeploy } from "../deploys/deploys.ts";
import { performOperation } from "../operations/perform-operation.ts";
import type { Runtime } from "../runtime.ts";
import { changeIncident, getIncident, listIncidents, openIncident } from "./incidents.ts";

const database = testDatabase("migrated");
const BEN: Actor = { name: "ben", role: "operator" };
let runtime: Runtime;

beforeAll(async () => {
  await database().pool.query(OUTBOX_EVENTS);
  runtime = openOperatedRuntime(database().url, "outbox_events");
});
afterAll(() => runtime.close());
beforeEach(() =>
  database().pool.query(
    `TRUNCATE outbox_console_app.incident, outbox_console_app.incident_entry, outbox_console_app.audit, outbox_console_app.finding,
       outbox_console_app.alert_delivery, outbox_console_app.deploy, outbox_console.audit, outbox_console.operation`,
  ),
);

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const open = (incident: object = {}, actor: Actor = OPERATOR) =>
  openIncident({
    ctx: contextOf(runtime, actor),
    incident: newIncidentSchema.parse({ title: "Kafka refuses connections", ...incident }),
  });
const act = (id: number, change: Parameters<typeof changeIncident>[0]["act"], actor: Actor = OPERATOR) =>
  changeIncident({ ctx: contextOf(runtime, actor), id: String(id), act: change });
const read = (id: number) => getIncident({ runtime, id: String(id) });
const openOnes = async () =>
  (await listIncidents({ runtime, query: incidentQuerySchema.parse({ state: "open" }) })).incidents;

/** A finding of `orders`, an alert, a deploy, a dead-lettered message and a pause, all within the last 20 minutes. */
async function anEventfulNight(): Promise<void> {
  const { pool } = database();
  await pool.query(
    `INSERT INTO outbox_console_app.finding (outbox, rule, subject, since, seen_at, closed_at, detail)
     VALUES ('orders', 'sink_unavailable', 's', now() - interval '18 minutes', now(), now() - interval '2 minutes', $1),
       ('orders', 'dead_letters', 's', now() - interval '90 minutes', now(), now() - interval '80 minutes', $1),
       ('shipments', 'sink_unavailable', 's', now() - interval '17 minutes', now(), NULL, $1)`,
    [{ title: "Sink unavailable", severity: "fail", sentence: "kafka refuses since 02:51:09 UTC" }],
  );
  await pool.query(
    `INSERT INTO outbox_console_app.alert_delivery (webhook, outbox, event, status, summary, at, delivered_at)
     VALUES ('on-call', 'orders', 'trigger', 'fail', 'orders: kafka refuses', now() - interval '15 minutes', now() - interval '14 minutes')`,
  );
  const ctx = contextOf(runtime);
  const deploy = newDeploySchema.parse({ service: "kafka-config", version: "7", at: minutesAgo(19) });
  await recordDeploy({ ctx, deploy, idempotencyKey: null });
  const target = { id: "00000000-0000-4000-8000-000000000001", version: "1" };
  const request = { action: "retry" as const, targets: [target], reason: "a probe" };
  await performOperation({ ctx, outbox: "orders", request, idempotencyKey: null });
  await pool.query(
    `INSERT INTO outbox_console.audit (actor, role, action, outbox, outcome, reason, detail)
     VALUES ('ben', 'operator', 'relay.pause', 'orders', 'done', 'let it rest', 'for 60 minutes')`,
  );
}

describe("an incident", () => {
  test("has what was recorded of its outbox, however much more there is of others", async () => {
    await anEventfulNight();
    await database().pool.query(
      `INSERT INTO outbox_console_app.finding (outbox, rule, subject, since, seen_at, closed_at, detail)
       SELECT 'shipments', 'sink_unavailable', n::text, now() - interval '1 minute', now(), NULL, '{}' FROM generate_series(1, 200) n`,
    );
    await database().pool.query(
      `INSERT INTO outbox_console.operation (id, outbox, action, actor, role, reason, request_hash, result)
       SELECT gen_random_uuid(), 'shipments', action, actor, role, reason, request_hash, result
       FROM outbox_console.operation, generate_series(1, 200)`,
    );
    const { id } = await open({ outboxes: ["orders"], since: minutesAgo(20) });
    const { timeline, gaps } = await read(id);
    expect(gaps).toEqual([]);
    const texts = timeline.map(({ text }) => text);
    expect(texts).toEqual(expect.arrayContaining(["Sink unavailable", "Retry of 1 message: 1 skipped"]));
  });

  test("has one timeline of what people did and what was recorded, of its outboxes and its time", async () => {
    await anEventfulNight();
    const { id } = await open({ outboxes: ["orders"], since: minutesAgo(18) });
    await act(id, { act: "note", text: "The disk of kafka-1 is full." });
    const { timeline, gaps } = await read(id);
    expect(gaps).toEqual([]);
    expect(timeline.map(({ kind, text, by }) => `${kind}: ${text}${by === null ? "" : `, ${by}`}`)).toEqual([
      "note: The disk of kafka-1 is full., olga",
      "incident: Incident opened, olga",
      "relay: Relay paused: for 60 minutes, ben",
      "operation: Retry of 1 message: 1 skipped, olga",
      "finding: Over: Sink unavailable",
      "alert: Alert to webhook on-call, delivered in 1 m 00 s",
      "finding: Sink unavailable",
      "deploy: Deploy kafka-config 7, olga",
    ]);
  });

  test("is opened once: the second person sees the first one's, and may open another knowingly", async () => {
    const first = await open();
    await expect(open({}, BEN)).rejects.toMatchObject({
      code: "conflict",
      message: `Incident ${first.id} is open already, by olga: Kafka refuses connections`,
    });
    const second = await open({ title: "Another one", besides: [first.id] }, BEN);
    expect((await openOnes()).map(({ id }) => id)).toEqual([second.id, first.id]);
  });

  test("is opened beside one that the person may not see, of which nothing is told", async () => {
    const hidden = await open({ title: "Card numbers in the log" });
    const nora: Actor = {
      name: "nora",
      role: "viewer",
      grants: { everywhere: null, outboxes: { orders: "operator" } },
    };
    const ctx = await placeContext(contextOf(runtime, nora), {});
    const incident = newIncidentSchema.parse({ title: "Orders wait", outboxes: ["orders"] });
    const seen = await openIncident({ ctx, incident });
    expect(seen.title).toBe("Orders wait");
    await expect(openIncident({ ctx, incident })).rejects.toThrow(/Orders wait/);
    await expect(open({ besides: [hidden.id] }, BEN)).rejects.toThrow(/Orders wait/);
  });

  test("of two who open one at the same time one does", async () => {
    const both = await Promise.allSettled([open(), open({}, BEN)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(await openOnes()).toHaveLength(1);
  });

  test("is led by one person, who hands it over", async () => {
    const { id } = await open({ lead: "olga" });
    await expect(act(id, { act: "lead", from: null, to: "ben" }, BEN)).rejects.toMatchObject({
      code: "conflict",
      message: "olga leads this incident now.",
    });
    expect((await act(id, { act: "lead", from: "olga", to: "ben" }, BEN)).lead?.name).toBe("ben");
  });

  test("keeps its timeline when it ends, and takes notes afterwards, but no second end", async () => {
    await anEventfulNight();
    const { id } = await open({ since: minutesAgo(18) });
    const ended = await act(id, { act: "end", outcome: "Disk freed." }, BEN);
    expect(ended.ended).toMatchObject({ by: "ben", outcome: "Disk freed." });
    await database().pool.query("TRUNCATE outbox_console_app.finding, outbox_console_app.alert_delivery");
    await act(id, { act: "note", text: "Alert on disk space added." });
    const { timeline } = await read(id);
    expect(timeline[0]?.text).toBe("Alert on disk space added.");
    expect(timeline.filter(({ kind }) => kind === "finding")).toHaveLength(3);
    await expect(act(id, { act: "end", outcome: "again" })).rejects.toMatchObject({ code: "conflict" });
    expect(await openOnes()).toEqual([]);
    const { entries } = await listAudit({ runtime, query: { limit: 20 } });
    expect(entries.map(({ action }) => action).filter((action) => action.startsWith("incident."))).toEqual([
      "incident.note",
      "incident.end",
      "incident.open",
    ]);
  });

  test("keeps the timeline of an incident with more records than are read, and goes on saying so", async () => {
    await database().pool.query(
      `INSERT INTO outbox_console_app.deploy (service, version, at, reported_by)
       SELECT 'shop', n::text, now() - interval '5 minutes', 'ben' FROM generate_series(1, 201) n`,
    );
    const { id } = await open({ since: minutesAgo(18) });
    const { gaps } = await act(id, { act: "end", outcome: "Rolled back." });
    expect(gaps).toEqual(["Of the deploys only the newest 200 are read."]);
    await database().pool.query("TRUNCATE outbox_console_app.deploy");
    const later = await read(id);
    expect(later.gaps).toEqual(gaps);
    expect(later.timeline.filter(({ kind }) => kind === "deploy")).toHaveLength(200);
  });

  test("has a pause and a change-over of before a thousand other entries of the audit, and none that was refused", async () => {
    await database().pool.query(
      `INSERT INTO outbox_console.audit (at, actor, role, action, outbox, outcome, reason)
       SELECT now() - minutes * interval '1 minute', 'ben', 'admin', action, 'orders', outcome, 'let it rest'
       FROM (VALUES (9, 'relay.pause', 'done'), (8, 'relay.change_over', 'done'), (7, 'relay.pause', 'refused')) AS acts (minutes, action, outcome)
       UNION ALL
       SELECT now() - interval '1 minute', 'ben', 'admin', 'message.retry', 'orders', 'done', 'all of them' FROM generate_series(1, 1100)`,
    );
    const { id } = await open({ since: minutesAgo(18) });
    const { timeline, gaps } = await read(id);
    expect(gaps).toEqual([]);
    expect(timeline.filter(({ kind }) => kind === "relay").map(({ text }) => text)).toEqual([
      "Change-over",
      "Relay paused",
    ]);
  });

  test("says which records are missing, and reads them again after a gap", async () => {
    await anEventfulNight();
    const { id } = await open({ since: minutesAgo(18) });
    await database().pool.query("ALTER TABLE outbox_console.operation RENAME TO away");
    const gap = "The store shop could not be read: its operations and pauses are missing.";
    expect((await act(id, { act: "end", outcome: "Disk freed." })).gaps).toEqual([gap]);
    await database().pool.query("ALTER TABLE outbox_console.away RENAME TO operation");
    const { timeline, gaps } = await read(id);
    expect(gaps).toEqual([]);
    expect(timeline.some(({ kind }) => kind === "operation")).toBe(true);
  });

  test("is not opened by a viewer, with an impossible start or for an unknown outbox, and one that is not there is not found", async () => {
    await expect(open({}, VIEWER)).rejects.toMatchObject({ code: "forbidden" });
    await expect(open({ since: minutesAgo(60 * 24 * 8) })).rejects.toMatchObject({ code: "invalid_input" });
    await expect(open({ outboxes: ["ordres"] })).rejects.toMatchObject({ code: "not_found" });
    await expect(read(999_999)).rejects.toMatchObject({ code: "not_found" });
    await expect(getIncident({ runtime, id: "nope" })).rejects.toMatchObject({ code: "not_found" });
    expect(await openOnes()).toEqual([]);
  });
});
