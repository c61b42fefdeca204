import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { describeLibraries } from "./describe-libraries.ts";
import { describeSettings, editorSchema, withSettings } from "./generate-docs-settings.ts";
import { ROOT } from "./lib/project.mjs";

const page = readFileSync(join(ROOT, "docs", "configuration.md"), "utf8");
const schema: unknown = JSON.parse(readFileSync(join(ROOT, "outbox.schema.json"), "utf8"));
const libraries = readFileSync(join(ROOT, "docs", "libraries.md"), "utf8");
const settings = describeSettings();
const faults = [
  ...settings.faults,
  ...(withSettings(page, settings) === page
    ? []
    : ["docs/configuration.md is not what the configuration's schema says"]),
  ...(libraries === describeLibraries() ? [] : ["docs/libraries.md is not what db/shapes/libraries says"]),
  ...(isDeepStrictEqual(schema, JSON.parse(JSON.stringify(editorSchema())))
    ? []
    : ["outbox.schema.json is not what the configuration's schema says"]),
];
for (const fault of faults) console.log(fault);
if (faults.length > 0) console.log("Run `npx node scripts/generate-docs.ts`.");
process.exitCode = faults.length > 0 ? 1 : 0;
