import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parser } from "@prometheus-io/lezer-promql";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { renderMetrics } from "#services/health/render-metrics.ts";
import type { Runtime } from "#services/runtime.ts";

interface Rule {
  alert?: string;
  record?: string;
  expr: string;
  annotations?: { summary: string };
}
interface Panel {
  id: number;
  type: string;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { expr: string }[];
}

const read = (path: string) => readFileSync(join(import.meta.dirname, path), "utf8");
const rulesOf = (file: string): Rule[] =>
  parse(read(`prometheus/${file}`)).groups.flatMap(({ rules }: { rules: Rule[] }) => rules);
const RULES = [...rulesOf("rules.yaml"), ...rulesOf("slo.yaml")];
const BOARD: { uid: string; panels: Panel[] } = JSON.parse(read("grafana/outbox-console.json"));

/**
 * The metrics that docs/operating.md promises, of the console and of what a worker sent, with what recording rules and
 * histograms add.
 */
const documented = (prefix: string) =>
  [...read("../docs/operating.md").matchAll(new RegExp(`^\\| \`(${prefix}_[a-z_]+)\` \\|`, "gm"))].map(
    ([, name = ""]) => name,
  );
const DOCUMENTED = documented("outbox");
const HISTOGRAMS = ["outbox_publish_latency_seconds", "messaging_client_operation_duration_seconds"];
const KNOWN = new Set([
  ...DOCUMENTED,
  ...documented("messaging"),
  ...["bucket", "sum", "count"].flatMap((part) => HISTOGRAMS.map((name) => `${name}_${part}`)),
  ...RULES.flatMap(({ record }) => record ?? []),
]);

/** Grafana's variables stand for a duration. */
const withoutVariables = (expr: string) => expr.replaceAll("$__rate_interval", "5m");

function nodesOf(expr: string): { name: string; text: string }[] {
  const text = withoutVariables(expr);
  const nodes: { name: string; text: string }[] = [];
  parser.parse(text).iterate({
    enter: ({ name, from, to, type }) => {
      nodes.push({ name: type.isError ? "error" : name, text: text.slice(from, to) });
    },
  });
  return nodes;
}

const expressions = [
  ...RULES.map(({ alert, record, expr }) => [alert ?? record ?? "", expr] as const),
  ...BOARD.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const)),
];

/** Aggregations and functions around each metric of an outbox, innermost first, with the metric's own name. */
function wrappersOf(expr: string): string[][] {
  const text = withoutVariables(expr);
  const found: string[][] = [];
  parser.parse(text).iterate({
    enter: ({ name, from, to, node }) => {
      const metric = text.slice(from, to);
      if (name !== "Identifier" || !metric.startsWith("outbox_")) return;
      const wrappers = [metric];
      for (let at = node.parent; at; at = at.parent)
        if (["AggregateExpr", "FunctionCall"].includes(at.name))
          wrappers.push(/^\w+/.exec(text.slice(at.from, at.to))?.[0] ?? "");
      found.push(wrappers);
    },
  });
  return found;
}

describe("what Prometheus and Grafana are given", () => {
  test("documents every metric that it asks for", () => {
    expect(DOCUMENTED.length).toBeGreaterThan(7);
    expect(expressions.length).toBeGreaterThan(25);
  });

  test.each(expressions)("%s asks for metrics that exist, in PromQL", (_, expr) => {
    const nodes = nodesOf(expr);
    expect(nodes.filter(({ name }) => name === "error")).toEqual([]);
    const metrics = nodes.filter(({ name }) => name === "Identifier").map(({ text }) => text);
    expect(metrics).not.toEqual([]);
    for (const metric of metrics) expect([...KNOWN]).toContain(metric);
  });

  test.each(expressions)("%s counts an outbox once, however many processes are scraped", (_, expr) => {
    for (const wrappers of wrappersOf(expr)) {
      expect(wrappers).not.toContain("sum");
      expect(wrappers.filter((name) => ["min", "max", "absent"].includes(name))).toHaveLength(1);
    }
  });

  test("the documented metrics are those that /metrics exports, no more and no fewer", async () => {
    const runtime = { tables: async () => ({ outboxes: [], absent: [] }) } as unknown as Runtime;
    const { text } = await renderMetrics({ runtime });
    const exported = [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name);
    // Written by hand, and only once a relay has published.
    expect([...exported, "outbox_publish_latency_seconds"].toSorted()).toEqual(DOCUMENTED.toSorted());
  });

  test("panels have ids of their own and do not lie over each other", () => {
    const { panels } = BOARD;
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    for (const { gridPos: one, title } of panels) {
      expect(one.x + one.w, title).toBeLessThanOrEqual(24);
      const over = panels.filter(
        ({ gridPos: other }) =>
          other !== one &&
          one.x < other.x + other.w &&
          other.x < one.x + one.w &&
          one.y < other.y + other.h &&
          other.y < one.y + one.h,
      );
      expect(
        over.map((panel) => panel.title),
        title,
      ).toEqual([]);
    }
  });
});

test("an outbox is silent only if no process reads it, for the alert, the objective and the dashboard", () => {
  const ofUp = expressions.filter(([name, expr]) => expr.includes("outbox_up") && !name.endsWith("Absent"));
  expect(ofUp.map(([name]) => name)).toEqual([
    ...["OutboxDatabaseSilent", "OutboxProcessCutOff", "outbox:on_time", "Can be read"],
  ]);
  for (const [name, expr] of ofUp) expect(expr, name).toMatch(/\bmax (without|by) \([a-z, ]+\) \(outbox_up/);
});

test("rows whose marks say nothing by design alert nobody: the diagnosis decides what is an unknown status", () => {
  const rule = RULES.find(({ alert }) => alert === "OutboxUnknownStatus");
  expect(rule?.expr).toBe('max without (instance, pod) (outbox_cause{rule="unknown_status"}) == 1');
});
