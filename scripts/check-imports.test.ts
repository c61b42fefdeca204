import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { checkImports } from "./lib/check-imports.mjs";

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "outbox-console-imports-"));
  const imports = Object.fromEntries(
    ["contracts", "db", "services", "relay", "monitor", "components", "tests"].map((name) => [
      `#${name}/*`,
      `./${name}/*`,
    ]),
  );
  plant("package.json", JSON.stringify({ type: "module", imports }));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function plant(file: string, text: string) {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text, { flag: "a" });
}

/** Creates the imported files, because an import of a missing file is not counted. */
function plantTargets() {
  const files = [
    "contracts/message.ts",
    "services/list.ts",
    "relay/start-relays.ts",
    "monitor/start-monitor.ts",
    "tests/wait-for.ts",
  ];
  files.push(
    "db/stores/postgres/read/list.ts",
    "db/stores/port/store.ts",
    "db/stores/open-store.ts",
    "db/records/records.ts",
  );
  files.push(
    "db/stores/mysql/read.ts",
    "db/stores/shared/cursor.ts",
    "scripts/worker.ts",
    "components/other.tsx",
    "domain/errors.ts",
    "bench/load.ts",
  );
  files.push(
    "relay/pipeline/state/lanes/lanes.ts",
    "relay/pipeline/claim/claimer.ts",
    "relay/pipeline/settle/settler.ts",
  );
  for (const file of files) plant(file, "export const thing = 1;\n");
}

/** Imports of the forms `import type` and `import()` also count. */
const FORBIDDEN: [file: string, specifier: string][] = [
  ["domain/state.ts", "zod"],
  ["domain/state.ts", "node:fs"],
  ["domain/other.ts", "#db/stores/open-store.ts"],
  ["contracts/list.ts", "#services/list.ts"],
  ["contracts/other.ts", "pg"],
  ["db/claim.ts", "#services/list.ts"],
  ["db/claim.ts", "../contracts/message.ts"],
  ["db/stores/port/reader.ts", "#db/stores/postgres/read/list.ts"],
  ["db/stores/port/reader.ts", "drizzle-orm/pg-core"],
  ["db/stores/postgres/act/retry.ts", "../../mysql/read.ts"],
  ["db/stores/mysql/read.ts", "../postgres/read/list.ts"],
  ["db/stores/shared/cursor.ts", "../postgres/read/list.ts"],
  ["db/stores/shared/cursor.ts", "mysql2"],
  ["db/shapes/recognise.ts", "../stores/postgres/read/list.ts"],
  ["db/stores/conformance/reader.conformance.ts", "../postgres/read/list.ts"],
  ["db/stores/conformance/reader.fixture.ts", "pg"],
  ["services/show.ts", "#relay/start-relays.ts"],
  ["services/show.ts", "next/headers"],
  ["services/show.ts", "#db/stores/postgres/read/list.ts"],
  ["services/show.ts", "pg"],
  ["services/show.ts", "../scripts/worker.ts"],
  ["monitor/sampler.ts", "#db/stores/postgres/read/list.ts"],
  ["relay/run.ts", "#db/stores/postgres/read/list.ts"],
  ["relay/run.ts", "#monitor/start-monitor.ts"],
  ["relay/run.ts", "#contracts/message.ts"],
  ["relay/publish.ts", "kafkajs"],
  ["relay/sinks/nats/connect.ts", "ioredis"],
  ["relay/pipeline/state/retries.ts", "../claim/claimer.ts"],
  ["relay/pipeline/publish/outcome-handler.ts", "../settle/settler.ts"],
  ["components/table.tsx", "#services/list.ts"],
  ["components/table.tsx", "fs/promises"],
  ["app/page.tsx", "#db/records/records.ts"],
  ["app/page.tsx", "drizzle-orm/pg-core"],
  ["proxy.ts", "#db/records/records.ts"],
  ["client/outbox/add.ts", "../../domain/errors.ts"],
  ["client/outbox/add.ts", "#services/list.ts"],
  ["client/outbox/add.ts", "pg"],
  ["demo/main.ts", "#relay/start-relays.ts"],
  ["relay/tests/tables/cliffs.relay.test.ts", "../../../bench/load.ts"],
];

test("finds every import that the rules forbid, each in its file", async () => {
  plantTargets();
  for (const [file, specifier] of FORBIDDEN)
    plant(file, `import type { thing as t${specifier.length} } from "${specifier}";\n`);
  const faults = await checkImports(root);
  const found = (file: string, specifier: string) =>
    faults.some((fault) => fault.file === file && sameTarget(fault.imports, specifier));
  expect(FORBIDDEN.filter(([file, specifier]) => !found(file, specifier))).toEqual([]);
});

test("finds a circle, even of types alone", async () => {
  plant("services/one.ts", 'import type { two } from "./two.ts";\nexport const one = 1;\n');
  plant("services/two.ts", 'import type { one } from "./one.ts";\nexport const two = 1;\n');
  expect(await checkImports(root)).toMatchObject([{ why: "files import each other in a cycle" }]);
});

test("finds a circle of folders of components, of files that are in none", async () => {
  plant(
    "components/list/rows.ts",
    'import type { panel } from "#components/detail/panel.ts";\nexport const rows = 1;\n',
  );
  plant("components/detail/panel.ts", "export const panel = 1;\n");
  plant("components/detail/back.ts", 'import type { rows } from "#components/list/rows.ts";\nexport const back = 1;\n');
  const why = "folders of components import each other in a cycle";
  expect(await checkImports(root)).toMatchObject([{ why }, { why }]);
});

test("accepts allowed imports", async () => {
  plantTargets();
  const allowed: [file: string, specifier: string][] = [
    ["contracts/list.ts", "zod"],
    ["db/stores/postgres/act/retry.ts", "drizzle-orm/pg-core"],
    ["db/stores/postgres/act/retry.ts", "../../port/store.ts"],
    ["db/embedded/start.ts", "node:child_process"],
    ["services/show.ts", "#db/stores/port/store.ts"],
    ["services/show.ts", "#db/stores/open-store.ts"],
    ["services/show.ts", "#db/records/records.ts"],
    ["relay/sinks/kafka/connect.ts", "kafkajs"],
    ["relay/pipeline/claim/prober.ts", "../state/lanes/lanes.ts"],
    ["monitor/sampler.ts", "#services/list.ts"],
    ["client/adapters/pg.ts", "pg"],
    ["client/outbox/id.ts", "node:crypto"],
    ["components/table.tsx", "@mantine/core"],
    ["components/deep/table.tsx", "../other.tsx"],
    ["app/page.tsx", "#components/other.tsx"],
    ["services/list.db.test.ts", "#tests/wait-for.ts"],
    ["scripts/worker.ts", "#relay/start-relays.ts"],
  ];
  for (const [file, specifier] of allowed)
    plant(file, `import { thing as t${specifier.length} } from "${specifier}";\n`);
  expect(await checkImports(root)).toEqual([]);
});

/** The name of a package or Node module, without a subpath. */
function sameTarget(path: string, specifier: string): boolean {
  if (specifier.startsWith("#")) return path === specifier.slice(1);
  if (specifier.startsWith(".")) return path.endsWith(specifier.replace(/^(\.\.?\/)+/, ""));
  return path.startsWith(specifier.replace("node:", ""));
}
