import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import type { ConsoleAuditRecord } from "#db/records/write-audit.ts";
import { ConfigFile } from "./config-file.ts";
import { ConfigFollower } from "./config-follower.ts";
import { parseConfig } from "./load-config.ts";
import { recordReload } from "./record-reload.ts";
import { type TakenOver, takeOver } from "./take-over.ts";

const BEFORE = `environment: staging
console: { allowedHosts: [a.example] }
stores: { shop: { kind: postgres, url: "postgres://db/shop" } }
sinks: { hook: { kind: http, url: "https://example.com/" } }
outboxes:
  orders: { store: shop, table: orders, mode: relay, relay: { sink: hook } }
inboxes: { billing: { store: shop, table: inbox, outbox: orders, processWithin: 5m } }
alerts: { webhooks: { pager: { url: "https://pager.example/s3cret" } } }`;

const configOf = (text: string) => parseConfig(text, {}, "outbox.yaml");

function change(...edits: [string, string][]) {
  const config = configOf(BEFORE);
  const text = edits.reduce((before, [from, to]) => before.replace(from, to), BEFORE);
  return { config, taken: takeOver(config, configOf(text)) };
}

test("limits, retention, processing times and hosts hold at once, each with its old and new value", () => {
  const { config, taken } = change(
    ["environment: staging", "environment: production"],
    ["a.example", "b.example"],
    ["mode: relay,", "mode: relay, thresholds: { dead: { warn: 7 } }, retention: { published: { keep: 7d } },"],
    ["processWithin: 5m", "processWithin: 10m"],
  );
  expect(config.outboxes.orders?.thresholds.dead).toEqual({ warn: 7, fail: 100 });
  expect(config.inboxes.billing?.processWithin).toBe(600_000);
  expect(config.console.allowedHosts).toEqual(["b.example"]);
  expect(config.environment).toBe("production");
  expect(taken.needRestart).toEqual([]);
  const all = taken.settings.join("\n");
  expect(all).toContain("inboxes.billing.processWithin: 300000 → 600000");
  expect(all).toMatch(/outboxes\.orders\.thresholds: .*"warn":1,.* → .*"warn":7,/);
  expect(all).toContain("outboxes.orders.retention: ");
});

test("webhooks change at once, and only their names are told", () => {
  const { config, taken } = change(["s3cret", "0ther"]);
  expect(config.alerts.webhooks.pager?.url).toBe("https://pager.example/0ther");
  expect(taken).toEqual({ settings: ["alerts.webhooks.pager"], mappings: [], needRestart: [] });
});

test("what connections, relays and sessions depend on stays, and is named", () => {
  const { config, taken } = change(
    ["db/shop", "db2/shop"],
    ["https://example.com/", "https://example.org/"],
    ["relay: { sink: hook }", "relay: { sink: hook, maxAttempts: 3 }"],
    ["environment: staging", "environment: staging\nautoMigrate: true"],
  );
  expect(config).toEqual(configOf(BEFORE));
  expect(taken).toEqual({
    settings: [],
    mappings: [],
    needRestart: ["autoMigrate", "stores.shop", "outboxes.orders", "sinks.hook"],
  });
});

test("a process that reads the file follows it when it changes, and when it is asked to", () => {
  const { path, write } = fileOf(BEFORE);
  const config = configOf(BEFORE);
  const seen: TakenOver[] = [];
  const reread = vi.fn();
  const file = new ConfigFile({ OUTBOX_CONFIG: path });
  const follower = new ConfigFollower({ config, file, reread, onSettings: (taken) => seen.push(taken) });
  follower.followIfChanged();
  expect(reread).not.toHaveBeenCalled();
  write(BEFORE.replace("staging", "production"));
  follower.reload();
  expect(config.environment).toBe("production");
  expect(seen).toEqual([{ settings: ['environment: "staging" → "production"'], mappings: [], needRestart: [] }]);
  expect(reread).toHaveBeenCalledOnce();
});

test("how a table is read changes at once, and is told with its old and new value as other settings are", () => {
  const { config, taken } = change(
    ["mode: relay,", 'mode: relay, columns: { payload: body }, timeZone: "Europe/Berlin",'],
    ["inboxes:", "  audits: { store: shop, table: audits, mode: observe }\ninboxes:"],
    ["environment: staging", "environment: staging\nignoredTables: [{ store: shop, table: old }]"],
  );
  expect(config.outboxes.orders?.columns).toMatchObject({ payload: "body" });
  expect(taken).toMatchObject({ settings: [], needRestart: [] });
  expect(taken.mappings).toEqual([
    'outboxes.orders.columns: {} → {"payload":"body"}',
    'outboxes.orders.timeZone: "UTC" → "Europe/Berlin" (if an earlier mapping was recorded, accept this one: npm run migrate -- --accept-mapping orders)',
    "outboxes.audits: new, table audits in store shop",
    'ignoredTables: [] → [{"store":"shop","table":"old"}]',
  ]);
});

test("a change of a mapping alone is told, logged and in the audit", () => {
  const { path, write } = fileOf(BEFORE);
  const config = configOf(BEFORE);
  const file = new ConfigFile({ OUTBOX_CONFIG: path });
  const audited: ConsoleAuditRecord[] = [];
  const records = { recordAct: async (audit: ConsoleAuditRecord) => void audited.push(audit) };
  const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
  onTestFinished(() => logged.mockRestore());
  const onSettings = (taken: TakenOver) => recordReload(taken, { process: "worker", file: file.name, records });
  const follower = new ConfigFollower({ config, file, reread: () => undefined, onSettings });
  write(BEFORE.replace("mode: relay,", "mode: relay, columns: { payload: body },"));
  follower.reload();
  const change =
    'tables are read in another way: outboxes.orders.columns: {} → {"payload":"body"} (if an earlier mapping was recorded, accept this one: npm run migrate -- --accept-mapping orders)';
  expect(logged.mock.calls).toEqual([[`outbox.yaml has changed. ${change}`]]);
  expect(audited).toMatchObject([{ action: "config.reload", actor: { name: "worker" }, detail: change }]);
});

function fileOf(text: string) {
  const folder = mkdtempSync(join(tmpdir(), "outbox-console-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "outbox.yaml");
  writeFileSync(path, text);
  const write = (changed: string) => {
    writeFileSync(path, changed);
    utimesSync(path, 1, 1);
  };
  return { path, write };
}
