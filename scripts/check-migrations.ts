import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { generateDrizzleJson, generateMigration } from "drizzle-kit/api";
import { ROOT } from "./lib/project.mjs";

const CONFIGS = ["db/stores/postgres/own-schema/drizzle.config.ts", "db/records/drizzle.config.ts"];

type DrizzleConfig = { schema: string; out: string; schemaFilter?: string[] };

/** Reports schemas that differ from their generated migrations, with the missing SQL. */
for (const path of CONFIGS) {
  const { default: config } = (await load(path)) as { default: DrizzleConfig };
  const schema = (await load(config.schema)) as Record<string, unknown>;
  const latest = readLatestSnapshot(config.out);
  const current = generateDrizzleJson(schema, latest.id, config.schemaFilter);
  const missing = await generateMigration(latest, current);
  if (missing.length === 0) continue;
  console.log(`${config.schema} is ahead of ${config.out}: run npm run db:generate. Missing:\n${missing.join("\n")}`);
  process.exitCode = 1;
}

function load(path: string): Promise<unknown> {
  return import(pathToFileURL(join(ROOT, path)).href);
}

function readLatestSnapshot(out: string): Parameters<typeof generateMigration>[0] {
  const folder = join(ROOT, out, "meta");
  const latest = readdirSync(folder)
    .filter((name) => name.endsWith("_snapshot.json"))
    .sort()
    .at(-1);
  if (latest === undefined) throw new Error(`${out} contains no migration yet: run npm run db:generate.`);
  return JSON.parse(readFileSync(join(folder, latest), "utf8"));
}
