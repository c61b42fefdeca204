import type { NewView, ViewList } from "#contracts/message/views.ts";
import type { Records } from "#db/records/records.ts";
import type { ConsoleAuditRecord } from "#db/records/write-audit.ts";
import { troubleOf } from "#db/stores/port/store-error.ts";
import { AppError } from "#domain/errors.ts";
import { isLowerUuid } from "#domain/uuid.ts";
import { askRecords, missingRecords } from "../ask-records.ts";
import { consoleEntry } from "../audit/console-entry.ts";
import { requireRole, type ServiceContext } from "../context.ts";
import type { Runtime } from "../runtime.ts";

/** Most views of one outbox; a longer menu would not help. */
const MOST_VIEWS = 100;
const MISSING = missingRecords("shared views");

interface ViewInput {
  ctx: ServiceContext;
  outbox: string;
}

/** Shared views of an outbox. Throws: not_found, unavailable. */
export async function listViews(input: { runtime: Runtime; outbox: string }): Promise<ViewList> {
  const { name } = await input.runtime.outbox(input.outbox);
  const { records, consoleGuard } = input.runtime;
  if (!records || !consoleGuard) return { views: [], problem: MISSING.noDatabase };
  try {
    return { views: await consoleGuard.ask(() => records.views(name)), problem: null };
  } catch (error) {
    if (troubleOf(error) === "missing") return { views: [], problem: MISSING.notMigrated };
    throw error;
  }
}

/**
 * Throws: forbidden, not_found, conflict (the name is taken), wrong_state (no database for it, too many), unavailable.
 */
export async function saveView(input: ViewInput & { view: NewView }): Promise<ViewList> {
  const { ctx, view } = input;
  return change(input, "view.save", view.name, async (records, outbox, audit) => {
    const row = { ...view, query: defined(view.query), outbox, createdBy: ctx.actor.name };
    if (await records.saveView(row, MOST_VIEWS, audit)) return;
    const views = await records.views(outbox);
    if (views.length >= MOST_VIEWS)
      throw new AppError("wrong_state", `Outbox ${outbox} has ${MOST_VIEWS} shared views; delete one first.`);
    throw new AppError("conflict", `There is a shared view named “${view.name}”; choose another name.`);
  });
}

/** Throws as `saveView` does, and not_found for a view that is gone. */
export async function renameView(input: ViewInput & { id: string; name: string }): Promise<ViewList> {
  return change(input, "view.rename", null, async (records, outbox, audit) => {
    if (await records.renameView({ outbox, id: requireId(input.id), name: input.name }, audit)) return;
    const views = await records.views(outbox);
    if (!views.some(({ id }) => id === input.id)) throw gone();
    throw new AppError("conflict", `There is a shared view named “${input.name}”; choose another name.`);
  });
}

/** Throws as `renameView` does. */
export async function deleteView(input: ViewInput & { id: string }): Promise<ViewList> {
  return change(input, "view.delete", null, async (records, outbox, audit) => {
    if (!(await records.deleteView({ outbox, id: requireId(input.id) }, audit))) throw gone();
  });
}

type Change = (records: Records, outbox: string, audit: ConsoleAuditRecord) => Promise<void>;

async function change(input: ViewInput, action: string, detail: string | null, work: Change): Promise<ViewList> {
  const { ctx } = input;
  requireRole(ctx, "operator");
  const { name } = await ctx.runtime.outbox(input.outbox);
  const audit = consoleEntry(ctx.actor, action, { outbox: name, detail });
  await askRecords(ctx.runtime, MISSING, (records) => work(records, name, audit));
  return listViews({ runtime: ctx.runtime, outbox: name });
}

function requireId(id: string): string {
  if (isLowerUuid(id)) return id;
  throw gone();
}

function gone(): AppError {
  return new AppError("not_found", "This shared view is gone: somebody deleted it.");
}

function defined(query: NewView["query"]): Record<string, string> {
  return Object.fromEntries(Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
