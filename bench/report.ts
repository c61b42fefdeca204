import { mkdir, writeFile } from "node:fs/promises";
import { cpus, totalmem } from "node:os";

export interface DrainFigures {
  sink: string;
  contender: string;
  rowsPerSecond: number;
}

export interface SteadyFigures {
  contender: string;
  perSecond: number;
  p50: number;
  p95: number;
  p99: number;
  missing: number;
}

export interface Report {
  rows: number;
  rounds: number;
  drains: DrainFigures[];
  steady: SteadyFigures[];
  postgres: string;
}

export function printReport(report: Report): void {
  process.stdout.write(`${toMarkdown(report)}\n`);
}

/** The figures of this run, as the page of the documentation. */
export async function recordReport(report: Report): Promise<void> {
  await mkdir("docs", { recursive: true });
  const text = `# Performance

Made by \`npm run bench -- --record\`: every figure is of one run, on one machine, beside references of the same run.
Compare the ratios; the rows a second are the machine's. The references do less: see the head of each file in \`bench/\`.

${toMarkdown(report)}
`;
  await writeFile("docs/performance.md", text);
}

function toMarkdown({ rows, rounds, drains, steady, postgres }: Report): string {
  const lines = [
    `${machine()}, Postgres ${postgres} with fsync on, payloads of 500 bytes, sink and load in a process of their own.`,
  ];
  if (drains.length > 0) {
    lines.push("", `Drain of ${rows} pending rows, median of ${rounds}:`, "");
    lines.push("| sink | contender | rows/s | of the limit |", "| --- | --- | ---: | ---: |");
    for (const { sink, contender, rowsPerSecond } of drains) {
      const limit = drains.find((other) => other.sink === sink)?.rowsPerSecond ?? Number.NaN;
      const share = `${Math.round((rowsPerSecond / limit) * 100)} %`;
      lines.push(`| ${sink} | ${contender} | ${Math.round(rowsPerSecond).toLocaleString("en-US")} | ${share} |`);
    }
  }
  if (steady.length > 0) {
    lines.push("", `Commit to receipt at ${steady[0]?.perSecond}/s over http, one event a transaction:`, "");
    lines.push("| contender | p50 ms | p95 ms | p99 ms | missing |", "| --- | ---: | ---: | ---: | ---: |");
    for (const { contender, p50, p95, p99, missing } of steady) {
      lines.push(`| ${contender} | ${p50.toFixed(2)} | ${p95.toFixed(1)} | ${p99.toFixed(1)} | ${missing} |`);
    }
  }
  return lines.join("\n");
}

function machine(): string {
  const processors = cpus();
  const model = processors[0]?.model.trim() ?? "unknown processor";
  return `${processors.length} x ${model}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
}
