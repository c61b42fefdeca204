import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OptionError, parseOptions, readOrStop } from "#tests/parse-options.ts";
import { changeOver } from "./change-over/main.ts";
import { HELP } from "./help.ts";
import { type ChaosOptions, DEFAULTS, DEFAULTS_OVER, SINK_KINDS, type SinkKind } from "./options.ts";
import { chooseSettings } from "./relay-settings.ts";
import { repair } from "./repair/main.ts";
import { report } from "./report.ts";
import { forgetFolder, runChaos } from "./run-chaos.ts";
import { generateSchedule, type Step } from "./schedule.ts";
import { shrink } from "./shrink.ts";
import { soak } from "./soak/main.ts";
import { STORE_KINDS, type StoreKind } from "./stores/store-kinds.ts";

const [command, ...rest] = process.argv.slice(2);
if (command === "soak") process.exit(await soak(rest));
if (command === "repair") process.exit(await repair(rest));
if (command === "change-over") process.exit(await changeOver(rest));

const { values } = parseOptions(
  {
    options: {
      store: { type: "string", default: DEFAULTS.store },
      sink: { type: "string", default: DEFAULTS.sink },
      source: { type: "string", default: DEFAULTS.source },
      relays: { type: "string", default: String(DEFAULTS.relays) },
      minutes: { type: "string", default: String(DEFAULTS.chaosMs / 60_000) },
      seed: { type: "string", default: String(Math.floor(Math.random() * 1_000_000)) },
      runs: { type: "string", default: "1" },
      rate: { type: "string" },
      aggregates: { type: "string", default: String(DEFAULTS.aggregates) },
      "dead-in-table": { type: "string" },
      lease: { type: "string" },
      schedule: { type: "string" },
      shrink: { type: "string", default: "0" },
    },
  },
  HELP,
);

function readOptions(seed: number): ChaosOptions {
  if (!SINK_KINDS.includes(values.sink as SinkKind))
    throw new OptionError(`--sink is one of ${SINK_KINDS.join(", ")}.`);
  if (!STORE_KINDS.includes(values.store as StoreKind))
    throw new OptionError(`--store is one of ${STORE_KINDS.join(", ")}.`);
  if (values.source !== "polling" && values.source !== "cdc") throw new OptionError("--source is polling or cdc.");
  const store = values.store as StoreKind;
  const dead = values["dead-in-table"];
  if (dead !== undefined && store !== "postgres") throw new OptionError("--dead-in-table is for Postgres.");
  const defaults = { ...DEFAULTS, ...DEFAULTS_OVER[store] };
  return {
    ...defaults,
    seed,
    store,
    sink: values.sink as SinkKind,
    source: values.source,
    relays: Number(values.relays),
    chaosMs: Number(values.minutes) * 60_000,
    messagesPerSecond: Number(values.rate ?? defaults.messagesPerSecond),
    aggregates: Number(values.aggregates),
    leaseMs: Number(values.lease ?? defaults.leaseMs),
    settings: { ...chooseSettings({ seed, store }), ...(dead === undefined ? {} : { deadInTable: Number(dead) }) },
    say: (line) => console.error(line),
  };
}

/** Runs one seed: the whole schedule, then after a failure ever smaller parts of it. */
async function runSeed(seed: number): Promise<boolean> {
  const options = readOrStop(() => readOptions(seed), HELP);
  const schedule = values.schedule
    ? (JSON.parse(await readFile(values.schedule, "utf8")) as Step[])
    : generateSchedule(options);
  console.log(`${commandOf(options)}\n  ${JSON.stringify(options.settings)}`);
  if (!(await failsWith(options, schedule))) return true;
  const left = await shrink(schedule, Number(values.shrink), (rest) => failsWith(options, rest));
  if (left.length < schedule.length) console.log(`These steps are enough:\n${JSON.stringify(left, null, 1)}`);
  return false;
}

async function failsWith(options: ChaosOptions, schedule: Step[]): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), `outbox-chaos-${options.seed}-`));
  await writeFile(join(folder, "schedule.json"), `${JSON.stringify(schedule, null, 1)}\n`);
  const result = await runChaos({ ...options, folder }, schedule);
  console.log(report(result));
  await forgetFolder(result, folder);
  return result.violations.length > 0;
}

function commandOf({
  store,
  sink,
  source,
  relays,
  seed,
  messagesPerSecond,
  aggregates,
  leaseMs,
}: ChaosOptions): string {
  const dead = values["dead-in-table"] === undefined ? "" : ` --dead-in-table ${values["dead-in-table"]}`;
  return `npm run chaos -- --store ${store} --sink ${sink} --source ${source} --relays ${relays} --minutes ${values.minutes} --seed ${seed} --rate ${messagesPerSecond} --aggregates ${aggregates} --lease ${leaseMs}${dead}`;
}

let failed = 0;
for (let run = 0; run < Number(values.runs); run += 1) {
  if (!(await runSeed(Number(values.seed) + run))) failed += 1;
}
process.exit(failed === 0 ? 0 : 1);
