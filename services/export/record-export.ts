import { troubleOf } from "#db/stores/port/store-error.ts";
import { AppError } from "#domain/errors.ts";
import { formatCount } from "#domain/format.ts";
import { ourCommand } from "#domain/text/our-command.ts";
import { consoleEntry } from "../audit/console-entry.ts";
import type { ServiceContext } from "../context.ts";
import { openLog } from "../open-log.ts";
import type { ExportJob } from "./export-job.ts";

const level = process.env.LOG_LEVEL ?? (process.env.VITEST ? "silent" : "info");
const log = openLog("console", 1, level);
const DETAIL_CHARACTERS = 1_000;

interface Exported {
  ctx: ServiceContext;
  action: "messages.export" | "inbox.export" | "audit.export";
  outbox: string | null;
  inbox: string | null;
  /** Requested format, columns and filter. */
  query: Record<string, unknown>;
}

/**
 * Audit entries of an export: `begun` before its first row, then `done` or `cut` with the number of rows. They are in
 * the console's database, because an export changes no store; without that database they are log lines.
 * `begun` throws: unavailable, wrong_state (the console's database lacks the audit).
 */
export function recordExport(exported: Exported): Pick<ExportJob<unknown>, "begun" | "ended"> {
  const { ctx, action, outbox, inbox } = exported;
  const asked = describeQuery(exported.query);
  const record = async (outcome: "begun" | "done" | "cut", detail: string) => {
    const { records, consoleGuard } = ctx.runtime;
    log.info({ requestId: ctx.requestId, actor: ctx.actor.name, action, outbox, inbox, outcome, detail }, "export");
    if (!records || !consoleGuard) return;
    const entry = consoleEntry(ctx.actor, action, { outbox, inbox, outcome, detail });
    await consoleGuard.ask(() => records.recordAct(entry, async () => undefined));
  };
  return {
    begun: async () => {
      await record("begun", asked).catch((error: unknown) => {
        throw troubleOf(error) === "missing" ? notMigrated(error) : error;
      });
    },
    // The rows have left already; the entry `begun` says that they may have.
    ended: async ({ rows, cut }) => {
      const count = rows === 1 ? "1 row" : `${formatCount(rows)} rows`;
      await record(cut === null ? "done" : "cut", `${count}${cut === null ? "" : `; ${cut}`} ${asked}`).catch(
        (error: unknown) => log.warn({ requestId: ctx.requestId, err: error }, "the end of an export was not recorded"),
      );
    },
  };
}

function notMigrated(cause: unknown): AppError {
  const message = `The export cannot be recorded: the console's database has no audit yet. Run ${ourCommand("migrate")}.`;
  return new AppError("wrong_state", message, { cause });
}

function describeQuery(query: Record<string, unknown>): string {
  const parts = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));
  return `(${parts.join(", ")})`.slice(0, DETAIL_CHARACTERS);
}
