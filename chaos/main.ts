import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type ChaosOptions, DEFAULTS, SINK_KINDS, type SinkKind } from "./options.ts";
import { report } from "./report.ts";
import { forgetFolder, runChaos } from "./run-chaos.ts";
import { generateSchedule, type Step } from "./schedule.ts";

const { values } = parseArgs({
  options: {
    sink: { type: "string", default: DEFAULTS.sink },
    source: { type: "string", default: DEFAULTS.source },
    relays: { type: "string", default: String(DEFAULTS.relays) },
    minutes: { type: "string", default: String(DEFAULTS.chaosMs / 60_000) },
    seed: { type: "string", default: String(Math.floor(Math.random() * 1_000_000)) },
    runs: { type: "string", default: "1" },
    rate: { type: "string", default: String(DEFAULTS.messagesPerSecond) },
    aggregates: { type: "string", default: String(DEFAULTS.aggregates) },
    lease: { type: "string", default: String(DEFAULTS.leaseMs) },
    schedule: { type: "string" },
  },
});

function readOptions(seed: number): ChaosOptions {
  if (!SINK_KINDS.includes(values.sink as SinkKind)) throw new Error(`--sink is one of ${SINK_KINDS.join(", ")}.`);
  if (values.source !== "polling" && values.source !== "cdc") throw new Error("--source is polling or cdc.");
  return {
    ...DEFAULTS,
    seed,
    sink: values.sink as SinkKind,
    source: values.source,
    relays: Number(values.relays),
    chaosMs: Number(values.minutes) * 60_000,
    messagesPerSecond: Number(values.rate),
    aggregates: Number(values.aggregates),
    leaseMs: Number(values.lease),
    say: (line) => console.error(line),
  };
}

let failed = 0;
for (let run = 0; run < Number(values.runs); run += 1) {
  const options = readOptions(Number(values.seed) + run);
  const folder = await mkdtemp(join(tmpdir(), `outbox-chaos-${options.seed}-`));
  const schedule = values.schedule
    ? (JSON.parse(await readFile(values.schedule, "utf8")) as Step[])
    : generateSchedule(options);
  await writeFile(join(folder, "schedule.json"), `${JSON.stringify(schedule, null, 1)}\n`);
  console.log(
    `npm run chaos -- --sink ${options.sink} --source ${options.source} --relays ${options.relays} --minutes ${values.minutes} --seed ${options.seed}`,
  );
  const result = await runChaos({ ...options, folder }, schedule);
  console.log(report(result));
  await forgetFolder(result, folder);
  if (result.violations.length > 0) failed += 1;
}
process.exit(failed === 0 ? 0 : 1);
