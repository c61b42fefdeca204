import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { checkImports, readImports } from "./lib/check-imports.mjs";

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "outbox-console-imports-"));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function plant(file: string, text: string) {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

test.each([
  ["domain/state.ts", "zod"],
  ["domain/state.ts", "node:fs"],
  ["domain/state.ts", "#db/stores/open.ts"],
  ["contracts/message.ts", "#services/list.ts"],
  ["contracts/message.ts", "pg"],
  ["db/claim.ts", "#services/list.ts"],
  ["db/claim.ts", "../contracts/message.ts"],
  ["services/list.ts", "#relay/start-relays.ts"],
  ["services/list.ts", "next/headers"],
  ["relay/start-relays.ts", "#monitor/start-monitor.ts"],
  ["relay/start-relays.ts", "#contracts/message.ts"],
  ["relay/publish.ts", "kafkajs"],
  ["relay/sinks/nats/connect.ts", "ioredis"],
  ["components/table.tsx", "#services/list.ts"],
  ["components/table.tsx", "fs/promises"],
  ["app/page.tsx", "#db/claim.ts"],
  ["app/page.tsx", "drizzle-orm/pg-core"],
  ["proxy.ts", "#db/claim.ts"],
  ["services/list.ts", "#tests/wait-for.ts"],
  ["services/list.ts", "../scripts/worker.ts"],
  ["demo/main.ts", "#relay/start-relays.ts"],
])("catches %s importing %s", (file, specifier) => {
  plant(file, `// why\nimport { thing } from "${specifier}";\n`);
  expect(checkImports(root)).toMatchObject([{ file, line: 2, specifier }]);
});

test.each([
  ["contracts/message.ts", "zod"],
  ["db/claim.ts", "drizzle-orm/pg-core"],
  ["db/embedded/start.ts", "node:child_process"],
  ["services/list.ts", "#db/claim.ts"],
  ["relay/sinks/kafka/connect.ts", "kafkajs"],
  ["monitor/sampler.ts", "#services/snapshot.ts"],
  ["components/table.tsx", "@mantine/core"],
  ["components/deep/table.tsx", "../other.tsx"],
  ["app/page.tsx", "#components/table.tsx"],
  ["app/layout.tsx", "./globals.css"],
  ["services/list.db.test.ts", "#tests/postgres.ts"],
  ["scripts/worker.ts", "#relay/start-relays.ts"],
])("lets %s import %s", (file, specifier) => {
  plant(file, `import { thing } from "${specifier}";\n`);
  expect(checkImports(root)).toEqual([]);
});

test("reads every form of import, over lines, and no comment", () => {
  const text = [
    'import "a";',
    "import {",
    "  type B,",
    '} from "b";',
    'export { c } from "c";',
    'export type * from "d";',
    'const e = await import("e");',
    'const f = require("f");',
    '// import "no";',
    '/* import "no";',
    "*/",
    'import type G from "g";',
  ].join("\n");
  expect(readImports(text)).toEqual([
    { specifier: "a", line: 1 },
    { specifier: "b", line: 4 },
    { specifier: "c", line: 5 },
    { specifier: "d", line: 6 },
    { specifier: "e", line: 7 },
    { specifier: "f", line: 8 },
    { specifier: "g", line: 12 },
  ]);
});
