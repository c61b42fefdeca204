import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkDocs } from "./lib/check-docs.mjs";

test("finds cited files, links and commands that do not exist, and nothing else", () => {
  const root = mkdtempSync(join(tmpdir(), "outbox-console-docs-"));
  try {
    mkdirSync(join(root, "docs", "adr"), { recursive: true });
    mkdirSync(join(root, "relay"));
    writeFileSync(join(root, "package.json"), JSON.stringify({ scripts: { worker: "" } }));
    writeFileSync(join(root, "relay", "here.ts"), "");
    writeFileSync(join(root, "docs", "adr", "1.md"), "`relay/of-old.ts`");
    writeFileSync(
      join(root, "README.md"),
      [
        "`relay/here.ts`, `relay/*.ts`, `GET /api/health`, `application/json`, `npm run worker`, [docs](docs/adr/1.md#why)",
        "`relay/gone.ts` and `npm run gone` and [gone](docs/gone.md), not [the web](https://example.com/a)",
      ].join("\n"),
    );
    expect(checkDocs(root).map(({ line, cited }) => [line, cited])).toEqual([
      [2, "relay/gone.ts"],
      [2, "docs/gone.md"],
      [2, "gone"],
    ]);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
