import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeLibraries } from "./describe-libraries.ts";
import { describeSettings, editorSchema, withSettings } from "./generate-docs-settings.ts";
import { ROOT } from "./lib/project.mjs";

/**
 * `npx node scripts/generate-docs.ts`: the reference of settings, the schema for editors and the page of libraries,
 * from the code.
 */
const page = join(ROOT, "docs", "configuration.md");
writeFileSync(page, withSettings(readFileSync(page, "utf8"), describeSettings()));

writeFileSync(join(ROOT, "docs", "libraries.md"), describeLibraries());

const schema = join(ROOT, "outbox.schema.json");
writeFileSync(schema, `${JSON.stringify(editorSchema(), null, 2)}\n`);
spawnSync(join(ROOT, "node_modules", ".bin", "biome"), ["format", "--write", schema], { stdio: "inherit" });
