import { readFile, writeFile } from "node:fs/promises";
import { cpus, totalmem } from "node:os";

/** One table of the report: its heading and figures. */
export interface Section {
  name: string;
  text: string;
  header: string[];
  rows: string[][];
}

export interface Report {
  sections: Section[];
  /** Versions of the measured software. */
  versions: string[];
}

const PAGE = "docs/performance.md";
const ORDER = [
  "Drain",
  "Long drain",
  "Several instances",
  "A slow receiver",
  "Latency",
  "Growth",
  "A transaction held open",
  "Idle",
  "Drain beside Debezium",
  "Latency beside Debezium",
  "Payloads",
  "Console",
  "Drain, mysql",
  "Latency, mysql",
  "Drain, mariadb",
  "Latency, mariadb",
  "Drain, dynamodb",
  "Latency, dynamodb",
];

/** Writes this run's tables into the documentation page; tables of sections that did not run stay. */
export async function recordReport(report: Report): Promise<void> {
  const tables = new Map(readTables(await readFile(PAGE, "utf8").catch(() => "")));
  for (const section of report.sections) tables.set(section.name, toMarkdown(section));
  const sorted = ORDER.flatMap((name) => tables.get(name) ?? []);
  const text = `# Performance

Written by \`npm run bench -- --record\`. All figures of a table are from one run on one machine, references included. Compare the
ratios; the absolute rows per second depend on the machine. The head of each file in \`bench/contenders/\` says what that reference
does and omits. [Where the time goes](performance-bottlenecks.md) explains what limits each figure.

${machine()}, ${report.versions.join(", ")}; fsync on; payloads of 500 bytes; contender, receiver and producers in separate
processes, all on this machine.

${sorted.join("\n\n")}
`;
  await writeFile(PAGE, text);
}

function readTables(page: string): [name: string, table: string][] {
  return page
    .split(/^(?=## )/m)
    .filter((part) => part.startsWith("## "))
    .map((part) => [part.slice(3, part.indexOf("\n")), part.trimEnd()]);
}

export function toMarkdown({ name, text, header, rows }: Section): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const rule = header.map((_, index) => (index < 2 ? "---" : "---:"));
  return [`## ${name}`, "", text, "", line(header), line(rule), ...rows.map(line)].join("\n");
}

export const whole = (value: number) => Math.round(value).toLocaleString("en-US");
export const percent = (share: number) => `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`;
export const micros = (value: number) => (Number.isNaN(value) ? "–" : value.toFixed(1));
export const millis = (value: number) => (Number.isNaN(value) ? "–" : value.toFixed(2));

function machine(): string {
  const processors = cpus();
  const model = processors[0]?.model.trim() ?? "unknown processor";
  return `${processors.length} x ${model}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
}
