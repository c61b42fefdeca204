import { readFileSync } from "node:fs";
import { CANDIDATES } from "./contenders/open-contender.ts";
import type { Recovery } from "./judge-soak.ts";
import type { SoakOptions, SoakSink } from "./options.ts";
import type { CandidateResult, SoakResult } from "./run-soak.ts";

const LIBRARIES: Record<SoakSink, string> = { kafka: "@platformatic/kafka", redis: "ioredis" };

type Cell = (result: Required<{ [K in "report" | "verdict"]: NonNullable<CandidateResult[K]> }>) => string;

const ROWS: [name: string, cell: Cell][] = [
  ["published", ({ verdict }) => String(verdict.published)],
  ["left unpublished at the end", ({ report, verdict }) => String(report.due - verdict.published)],
  ["lost: confirmed and not there", ({ verdict }) => String(verdict.lost)],
  ["inversions", ({ verdict }) => String(verdict.inversions)],
  ["duplicates", ({ verdict }) => String(verdict.duplicates)],
  ["calls", ({ report }) => String(report.calls)],
  ["longest call, s", ({ report }) => seconds(report.longestCallMs)],
  ["calls without an outcome in time", ({ report }) => String(report.late)],
  ["silence after a fault, mean, s", ({ verdict }) => seconds(verdict.silence.meanMs)],
  ["silence after a fault, longest, s", ({ verdict }) => longest(verdict.silence)],
  ["until every lane goes on, mean, s", ({ verdict }) => seconds(verdict.everyLane.meanMs)],
  ["until every lane goes on, longest, s", ({ verdict }) => longest(verdict.everyLane)],
  ["silence of lanes that a fault spares, longest, s", ({ verdict }) => longest(verdict.spared)],
  [
    "CPU per message, µs, harness included",
    ({ report, verdict }) => (report.cpuMicros / Math.max(1, verdict.published)).toFixed(0),
  ],
  ["most memory, MB", ({ report }) => (report.memoryBytes / 1e6).toFixed(0)],
  ["failed tries of a message, by failure", ({ report }) => errorsOf(report.errors)],
  ["thrown outside of any call", ({ report }) => report.broke?.split("\n", 1)[0] ?? "nothing"],
];

/** The result as a table in Markdown, then the faults of our sink. */
export function soakTable({ sink }: Pick<SoakOptions, "sink">, result: SoakResult): string {
  const library = LIBRARIES[sink];
  const counts = Object.entries(Object.groupBy(result.faults, ({ kind }) => kind)).map(
    ([kind, faults]) => `${faults?.length} ${kind}`,
  );
  const lines = [
    `${sink} ${result.brokerVersion ?? ""}, Node ${process.versions.node}; ${result.faults.length} faults: ${counts.sort().join(", ")}; the harness itself takes ${result.harnessMicros.toFixed(0)} µs of CPU per message`,
    "",
    `| | our sink | ${library} ${versionOf(library)} |`,
    "|---|---|---|",
    ...ROWS.map(([name, cell]) => {
      const cells = CANDIDATES.map((candidate) => cellOf(result.candidates[candidate], cell));
      return `| ${name} | ${cells.join(" | ")} |`;
    }),
    "",
    ...(result.violations.length === 0
      ? ["our sink lost, inverted and hung nothing"]
      : ["BROKEN", ...result.violations]),
  ];
  return lines.join("\n");
}

function cellOf({ silent, report, verdict }: CandidateResult, cell: Cell): string {
  return report && verdict ? cell({ report, verdict }) : (silent ?? "");
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(ms < 10_000 ? 2 : 1);
}

function longest({ longestMs, after }: Recovery): string {
  return after === null ? "–" : `${seconds(longestMs)} (${after})`;
}

function errorsOf(errors: Record<string, number>): string {
  const counts = Object.entries(errors).sort(([, left], [, right]) => right - left);
  return counts.map(([name, count]) => `${count} ${name}`).join(", ") || "none";
}

function versionOf(library: string): string {
  const file = new URL(`../../node_modules/${library}/package.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}
