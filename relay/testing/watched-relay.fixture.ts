import pg from "pg";
import { type RecordedStatement, startStatementRecorder } from "#tests/statement-recorder.ts";
import type { OutboxRelay } from "../instance/outbox-relay.ts";
import type { PipelineSettings } from "../pipeline/state/pipeline-context.ts";
import { createMemorySink, type MemorySink, type MemorySinkOptions } from "../sinks/memory/memory-sink.ts";
import { createBenchRelay, openBenchTable } from "./bench-relay.fixture.ts";

/** Names of the claims from a position on: of few messages, and of many or on a slow machine. */
export const READS = /few_after|claim_after/;
/** Names of the claims from the start of the table. */
export const STARTS = /few_start|claim_start/;

/** Usage of one of a relay's statements. */
export interface Asked {
  calls: number;
  /** Characters of all parameters sent. */
  sent: number;
  rows: number;
  /** Longest call, ms. */
  longestMs: number;
  text: string;
  values: (string | null)[];
}

export interface WatchedRelay {
  relay: OutboxRelay;
  sink: MemorySink;
  /** By statement name, since the start or the last `forget`. */
  readonly asked: ReadonlyMap<string, Asked>;
  forget(): void;
  stop(): Promise<void>;
}

const SETTINGS: PipelineSettings = {
  batchSize: 1000,
  concurrency: 16,
  onFailure: "block",
  retry: { initialMs: 3_600_000, maxMs: 3_600_000 },
};

/** A relay of the bench table in this process whose statements are recorded. */
export async function startWatchedRelay(input: {
  url: string;
  settings?: Partial<PipelineSettings>;
  answer?: MemorySinkOptions["answer"];
}): Promise<WatchedRelay> {
  const recorder = await startStatementRecorder(input.url);
  const table = openBenchTable({ url: recorder.url, relayId: "watched" });
  const sink = createMemorySink({ maxBatch: 1000, ...(input.answer ? { answer: input.answer } : {}) });
  const settings = { ...SETTINGS, ...input.settings };
  const relay = createBenchRelay({ id: "watched", table, sink, settings });
  const stopping = new AbortController();
  const running = relay.run(stopping.signal);
  return {
    relay,
    sink,
    get asked() {
      return usage(recorder.statements);
    },
    forget: recorder.forget,
    async stop() {
      stopping.abort();
      await running.finally(() => table.close());
      await recorder.close();
    },
  };
}

/** Of the statements with a name that succeeded. */
function usage(statements: readonly RecordedStatement[]): Map<string, Asked> {
  const asked = new Map<string, Asked>();
  for (const { name, text, values, rows, tookMs, failed } of statements) {
    if (name === "" || tookMs === null || failed) continue;
    const before = asked.get(name);
    asked.set(name, {
      calls: (before?.calls ?? 0) + 1,
      sent: (before?.sent ?? 0) + values.reduce((sum, value) => sum + (value ?? "").length, 0),
      rows: (before?.rows ?? 0) + rows,
      longestMs: Math.max(before?.longestMs ?? 0, tookMs),
      text,
      values,
    });
  }
  return asked;
}

export interface Effort {
  buffers: number;
  /** Rows and index entries visited. */
  visited: number;
  ms: number;
}

interface PlanNode {
  "Actual Rows": number;
  "Actual Loops": number;
  "Shared Hit Blocks": number;
  "Shared Read Blocks": number;
  "Rows Removed by Filter"?: number;
  "Heap Fetches"?: number;
  Plans?: PlanNode[];
}

/** Cost of a statement with its last parameters, under the settings of the relay's own sessions. */
export async function explain(client: pg.Client, { text, values }: Asked): Promise<Effort> {
  await client.query("SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_hashjoin = off");
  await client.query("SET enable_mergejoin = off; SET jit = off; SET plan_cache_mode = force_generic_plan");
  await client.query("BEGIN");
  try {
    // The statement may insert a claim that is still there.
    await client.query("DELETE FROM outbox_console.claim");
    await client.query(`PREPARE watched AS ${text}`);
    const literals = values.map((value) => (value === null ? "NULL" : pg.escapeLiteral(value)));
    const { rows } = await client.query(
      `EXPLAIN (ANALYZE, BUFFERS, TIMING off, FORMAT JSON) EXECUTE watched${literals.length > 0 ? `(${literals.join(", ")})` : ""}`,
    );
    const [{ Plan: plan, "Execution Time": ms }] = rows[0]["QUERY PLAN"];
    return { buffers: plan["Shared Hit Blocks"] + plan["Shared Read Blocks"], visited: visited(plan), ms };
  } finally {
    await client.query("ROLLBACK");
    await client.query("DEALLOCATE ALL");
  }
}

function visited(node: PlanNode): number {
  const own = (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"];
  return own + (node.Plans ?? []).reduce((sum, plan) => sum + visited(plan), 0);
}
