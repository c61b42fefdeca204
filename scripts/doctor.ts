import { parseArgs } from "node:util";
import { ConfigError, messageOf } from "#domain/errors.ts";
import { checkSinks } from "#relay/doctor/check-sinks.ts";
import { checkTopics } from "#relay/doctor/check-topics.ts";
import { loadConfig } from "#services/config/load-config.ts";
import { checkDatabases } from "#services/doctor/check-databases.ts";
import { checkTables } from "#services/doctor/check-tables.ts";
import type { DoctorReport } from "#services/doctor/report.ts";
import { openRuntime } from "#services/runtime.ts";

/**
 * `npm run doctor`: checks configuration, connections, mappings, permissions, indexes and sinks; changes nothing. With
 * `--check` only the configuration, without opening anything.
 */
async function main(): Promise<void> {
  let problems = 0;
  const said = new Set<string>();
  const report: DoctorReport = {
    ok: (text) => process.stdout.write(`  ok    ${text}\n`),
    advise: (text, fix) => process.stdout.write(`  later ${text}\n${indented(fix)}`),
    bad: (text, fix) => {
      // A database outage fails every check that queries it.
      if (said.has(text)) return;
      said.add(text);
      problems += 1;
      process.stdout.write(`  CHECK ${text}\n${indented(fix)}`);
    },
  };
  const { check } = readArguments();
  const config = loadConfig();
  if (check) {
    process.stdout.write("The configuration is valid.\n");
    return;
  }
  const runtime = openRuntime({ config, applicationName: "outbox-console doctor", once: true });
  try {
    report.ok("the configuration is valid");
    await checkDatabases(config, report);
    await checkTables(runtime, report);
    const reachable = new Set<string>();
    for (const { name, kind, address, failure, awaits } of await checkSinks(config)) {
      const what = `sink ${name}: ${kind}${address === "" ? "" : ` at ${address}`}`;
      if (failure) report.bad(`${what} cannot be used: ${failure.message} (${failure.code})`);
      else if (awaits) report.ok(`${what} can be reached; ${awaits}`);
      else {
        report.ok(`${what} can be reached`);
        reachable.add(name);
      }
    }
    await checkTopics(runtime, reachable, report);
  } finally {
    await runtime.close();
  }
  process.stdout.write(problems === 0 ? "Nothing to do.\n" : `${problems} to look at.\n`);
  process.exitCode = problems === 0 ? 0 : 1;
}

function readArguments(): { check?: boolean } {
  try {
    return parseArgs({ options: { check: { type: "boolean" } } }).values;
  } catch (error) {
    throw new ConfigError([messageOf(error)]);
  }
}

function indented(fix: string | undefined): string {
  return fix ? `        ${fix.replaceAll("\n", "\n        ")}\n` : "";
}

main().catch((error: unknown) => {
  const known = error instanceof ConfigError;
  process.stderr.write(known ? `${error.message}\n` : `${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
});
