import { statSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { ConfigError, isAppError, messageOf } from "#domain/errors.ts";
import { ourCommand } from "#domain/text/our-command.ts";
import { checkPayloads } from "#services/check-payloads/check-payloads.ts";
import { describeReport, isReadable } from "#services/check-payloads/describe-report.ts";
import { outboxesToCheck } from "#services/check-payloads/outboxes-to-check.ts";
import { type Registry, registryOf } from "#services/check-payloads/registry.ts";
import { loadConfig } from "#services/config/load-config.ts";
import { openRuntime } from "#services/runtime.ts";

const USAGE = ourCommand("check-payloads", "--registry <module> [--outbox <name>] [--limit <messages>]");
const MOST = 100_000;

/**
 * `npm run check-payloads`: checks that the code about to be deployed can read the messages that are waiting, scheduled
 * or dead. Runs the registry's module, and changes nothing.
 */
async function main(): Promise<void> {
  const wish = readArguments();
  const registry = await importRegistry(wish.registry);
  const runtime = openRuntime({ config: loadConfig(), applicationName: "outbox-console check-payloads", once: true });
  try {
    const { outboxes, missed } = outboxesToCheck(await runtime.tables(), wish.outbox);
    for (const message of missed) process.stdout.write(`  CHECK ${message}\n`);
    let fine = missed.length === 0;
    for (const outbox of outboxes) {
      const report = await checkPayloads(outbox, registry, wish.limit);
      process.stdout.write(`${describeReport(report).join("\n")}\n`);
      fine &&= isReadable(report);
    }
    process.exitCode = fine ? 0 : 1;
  } finally {
    await runtime.close();
  }
}

function readArguments(): { registry: string; outbox: string | undefined; limit: number } {
  const options = { registry: { type: "string" }, outbox: { type: "string" }, limit: { type: "string" } } as const;
  try {
    const { registry, outbox, limit = String(MOST) } = parseArgs({ options }).values;
    if (!registry) throw new ConfigError([`Say where the registry is: ${USAGE}`]);
    if (!/^[1-9]\d{0,8}$/.test(limit)) throw new ConfigError([`--limit is a number of messages: ${USAGE}`]);
    return { registry, outbox, limit: Number(limit) };
  } catch (error) {
    if (error instanceof TypeError) throw new ConfigError([`${error.message}\n${USAGE}`]);
    throw error;
  }
}

const HOW_LOADED =
  ". Node loads TypeScript without its types and without tsconfig.json: give imports their extension, or name the module that your build makes.";

async function importRegistry(path: string): Promise<Registry> {
  const file = resolve(path);
  if (!statSync(file, { throwIfNoEntry: false })?.isFile())
    throw new ConfigError([`There is no file ${file}. Name the module of the registry: ${USAGE}`]);
  const module: unknown = await import(pathToFileURL(file).href).catch((error: unknown) => {
    throw new ConfigError([
      `${path} could not be loaded: ${messageOf(error)}${/\.[cm]?ts$/.test(path) ? HOW_LOADED : ""}`,
    ]);
  });
  return registryOf(module as Record<string, unknown>, path);
}

let ended = false;
// The registry is foreign code: it may end this process, or wait for something that never comes.
process.on("exit", () => {
  if (ended) return;
  process.stderr.write(
    "The check did not come to its end, because the registry's module ended the program or waits for ever.\n",
  );
  process.exitCode = 1;
});

main()
  .catch((error: unknown) => {
    const known = error instanceof ConfigError || isAppError(error);
    process.stderr.write(known ? `${error.message}\n` : `${error instanceof Error ? error.stack : String(error)}\n`);
    process.exitCode = 1;
  })
  .then(() => {
    ended = true;
    // The registry may have left a timer or a connection open, for which Node would wait.
    process.stdout.write("", () => process.exit());
  });
