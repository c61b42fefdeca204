import { type RecordedStatement, startStatementRecorder } from "./statement-recorder.ts";
import type { TestDatabase } from "./test-database.ts";
import { waitFor } from "./wait-for.ts";

export interface PlanWatch {
  /** URL for connections whose plans are recorded. */
  url: string;
  /** Runs the work and returns the executed plan of each of its statements over the table, in any schema. */
  plansOf(table: string, work: () => Promise<unknown>): Promise<string[]>;
  /** The same with the statements' texts, also for statements that PREPARE has prepared. */
  toldOf(table: string, work: () => Promise<unknown>): Promise<string[]>;
  close(): Promise<void>;
}

const QUERY_TEXT = "Query Text: ";

/** Makes the server report the plan of every statement in later sessions, with its module auto_explain. */
export async function watchPlans({ name, url, pool }: TestDatabase): Promise<PlanWatch> {
  for (const setting of [
    "session_preload_libraries = 'auto_explain'",
    "auto_explain.log_min_duration = 0",
    "auto_explain.log_nested_statements = off",
    // To the client, and not to the server's log.
    "auto_explain.log_level = notice",
    "client_min_messages = notice",
  ])
    await pool.query(`ALTER DATABASE "${name}" SET ${setting}`);
  const recorder = await startStatementRecorder(url);
  const run = async (work: () => Promise<unknown>) => {
    recorder.forget();
    await work();
    const answered = () => recorder.statements.every(({ tookMs }) => tookMs !== null);
    await waitFor(answered, { message: "every statement is answered" });
  };
  return {
    url: recorder.url,
    close: recorder.close,
    toldOf: async (table, work) => {
      await run(work);
      return toldIn(recorder.notices).filter((one) => one.includes(`"."${table}" `));
    },
    plansOf: async (table, work) => {
      await run(work);
      const reading = recorder.statements.filter((statement) => reads(statement, table));
      return plansOfStatements(reading, recorder.notices);
    },
  };
}

/** An EXPLAIN reads nothing, but the server reports a plan for it too. */
function reads({ text }: RecordedStatement, table: string): boolean {
  return text.includes(`"."${table}" `) && !/^\s*EXPLAIN\b/i.test(text);
}

const toldIn = (notices: readonly string[]) => notices.flatMap((notice) => notice.split(QUERY_TEXT).slice(1, 2));

/** Matches plans by text: a plan arrives when its statement's portal closes, which may be with the next statement. */
function plansOfStatements(statements: readonly RecordedStatement[], notices: readonly string[]): string[] {
  const told = toldIn(notices);
  return statements.map(({ text }) => {
    const index = told.findIndex((one) => one.startsWith(`${text}\n`));
    if (index < 0) throw new Error(`The server told no plan of: ${text}`);
    const [found = ""] = told.splice(index, 1);
    return found.slice(text.length + 1);
  });
}

/** The plans that scan the whole table. */
export function scansOfTable(plans: readonly string[], table: string): string[] {
  return plans.filter((plan) => new RegExp(`Seq Scan on (public\\.)?${table}\\b`).test(plan));
}
