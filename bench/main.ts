import type { BrokerKind } from "#tests/brokers/broker-kinds.ts";
import { parseOptions } from "#tests/parse-options.ts";
import { startBrokerTarget } from "./broker-targets.ts";
import { bulkSection } from "./bulk-section.ts";
import { connectSections } from "./connect-section.ts";
import { consoleSection } from "./console-section.ts";
import type { ContenderName } from "./contenders/contender.ts";
import { dynamodbSections } from "./dynamodb-section.ts";
import { librariesSection } from "./libraries-section.ts";
import { startLoad } from "./load.ts";
import { mysqlSections } from "./mysql-section.ts";
import { payloadSection } from "./payload-section.ts";
import { recordReport, type Section, toMarkdown } from "./report.ts";
import { retentionSection } from "./retention-section.ts";
import {
  type Bench,
  drainSection,
  growthSection,
  heldSection,
  idleSection,
  instancesSection,
  latencySection,
  longDrainSection,
  slowReceiverSection,
} from "./sections.ts";
import { startServer } from "./server.ts";
import type { Target } from "./target.ts";

const RELAY_SECTIONS = ["drain", "long-drain", "instances", "slow", "latency", "growth", "held", "idle"];
const SECTIONS = [
  ...RELAY_SECTIONS,
  "payloads",
  "console",
  "libraries",
  "bulk",
  "retention",
  "connect",
  "mysql",
  "mariadb",
  "dynamodb",
];

/** Those for which the relay's own work, rather than the sink's, sets the pace. */
const FAST_SINKS = ["noop", "http-batch", "redis", "kafka"];
const SINKS = "noop,http,http-batch,redis,nats,rabbitmq,kafka";
const HELP = `npm run bench [-- PART ...]: measures parts of the product against a reference in the same run

  Parts: ${SECTIONS.join(", ")}; by default ${RELAY_SECTIONS.join(", ")}

  --only A,B       the same as naming the parts
  --rows N         messages of a drain (300000), or rows of the console's table (10000000); other parts have their own default
  --rounds N       runs of each drain, of which the median counts (3)
  --seconds N      duration of the steady load and of the idle measurement (20)
  --rate N         events per second of the steady load (500)
  --published N    rows published before, for growth (10000000)
  --sinks A,B      sinks of the drains (${SINKS})
  --record         writes docs/performance.md`;

const { values, positionals } = parseOptions(
  {
    allowPositionals: true,
    options: {
      rows: { type: "string" },
      rounds: { type: "string", default: "3" },
      seconds: { type: "string", default: "20" },
      rate: { type: "string", default: "500" },
      published: { type: "string", default: "10000000" },
      only: { type: "string" },
      sinks: { type: "string", default: SINKS },
      record: { type: "boolean", default: false },
    },
  },
  HELP,
);

const wanted = new Set(values.only?.split(",") ?? (positionals.length > 0 ? positionals : RELAY_SECTIONS));
const unknown = [...wanted].find((name) => !SECTIONS.includes(name));
if (unknown !== undefined) {
  console.error(`There is no part ${unknown} of the benchmark. The parts are ${SECTIONS.join(", ")}.`);
  process.exit(2);
}
const STEADY: ContenderName[] = ["limit", "tutorial", "relay", "limit-cdc", "relay-cdc", "relay-cdc-unmarked"];
const versions: string[] = [];
const sections: Section[] = [];

const server = await startServer();
versions.push(`Postgres ${server.version}`);
const load = await startLoad();
try {
  const bench: Bench = {
    server,
    load,
    rows: Number(values.rows ?? 100_000),
    rounds: Number(values.rounds),
    perSecond: Number(values.rate),
    seconds: Number(values.seconds),
  };
  const noop: Target = { kind: "noop", url: "" };
  // In a drain of 100,000 rows, a tenth of the time is the start of the process.
  const longer = { ...bench, rows: Number(values.rows ?? 300_000) };
  const longest = { ...bench, rows: Number(values.rows ?? 1_000_000), rounds: 1 };
  const sinks = values.sinks.split(",") as Target["kind"][];
  if (wanted.has("drain")) await show(await drains(longer, sinks, drainSection));
  if (wanted.has("long-drain")) {
    const fast = sinks.filter((sink) => FAST_SINKS.includes(sink));
    await show(await drains(longest, fast, longDrainSection));
  }
  if (wanted.has("instances")) await show(await instancesSection(longer, noop));
  if (wanted.has("slow")) await show(await slowReceiverSection(bench));
  if (wanted.has("latency")) await show(await latencySection(bench, STEADY));
  if (wanted.has("growth")) await show(await growthSection(longer, Number(values.published)));
  if (wanted.has("held")) await show(await heldSection(bench, ["relay", "relay-cdc"]));
  if (wanted.has("idle")) await show(await idleSection(bench, ["relay", "relay-cdc"]));
  if (wanted.has("payloads"))
    await show(await payloadSection(bench, [noop, { kind: "http-batch", url: load.sinkUrl }]));
  if (wanted.has("console")) await show(await consoleSection(server, { rows: Number(values.rows ?? 10_000_000) }));
  if (wanted.has("libraries")) await show(await librariesSection(server, { rows: Number(values.rows ?? 10_000_000) }));
  if (wanted.has("bulk")) await show(await bulkSection(bench, Number(values.rows ?? 1_000_000)));
  if (wanted.has("retention")) await show(await retentionSection(bench, Number(values.rows ?? 10_000_000)));
  if (wanted.has("connect")) {
    const measured = await connectSections(bench);
    if ("unavailable" in measured) process.stderr.write(`connect is skipped: ${measured.unavailable}\n`);
    else for (const section of measured) await show(section);
  }
  for (const flavor of ["mysql", "mariadb"] as const)
    if (wanted.has(flavor))
      for (const section of await mysqlSections(flavor, { ...bench, rows: Number(values.rows ?? 50_000) }))
        await show(section);
  if (wanted.has("dynamodb"))
    for (const section of await dynamodbSections({ ...bench, rows: Number(values.rows ?? 10_000) }))
      await show(section);
  if (values.record) await recordReport({ sections, versions });
} finally {
  await load.stop();
  await server.stop();
}

async function show(section: Section): Promise<void> {
  sections.push(section);
  process.stdout.write(`${toMarkdown(section)}\n\n`);
}

/** One broker at a time, so that only it and the contender use the machine. */
async function drains(bench: Bench, sinks: readonly Target["kind"][], measure: typeof drainSection): Promise<Section> {
  const parts: Section[] = [];
  const brokers: string[] = [];
  for (const sink of sinks) {
    if (sink === "noop") parts.push(await measure(bench, [{ kind: "noop", url: "" }]));
    else if (sink === "http" || sink === "http-batch")
      parts.push(await measure(bench, [{ kind: sink, url: load.sinkUrl }]));
    else parts.push(await withBroker(sink, brokers, (target) => measure(bench, [target])));
  }
  const [first] = parts;
  if (!first) throw new Error("Name at least one sink.");
  const text = brokers.length === 0 ? first.text : `${first.text} Brokers: ${brokers.join(", ")}.`;
  return { ...first, text, rows: parts.flatMap((part) => part.rows) };
}

/** Adds the broker's name and version to `brokers`. */
async function withBroker(
  kind: BrokerKind,
  brokers: string[],
  measure: (target: Target) => Promise<Section>,
): Promise<Section> {
  const broker = await startBrokerTarget(kind);
  try {
    brokers.push(`${kind} ${broker.version ?? "of unknown version"}`);
    return await measure(broker.target);
  } finally {
    await broker.stop();
  }
}
