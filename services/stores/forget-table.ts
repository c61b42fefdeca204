import type { ForgetRequest } from "#contracts/outbox/outboxes.ts";
import { formatInstant } from "#domain/diagnosis/phrases.ts";
import { AppError } from "#domain/errors.ts";
import { consoleEntry } from "../audit/console-entry.ts";
import { requireRole, type ServiceContext } from "../context.ts";
import type { AbsentTable, Runtime } from "../runtime.ts";

/**
 * Removes a permanently missing outbox or inbox from health, metrics and lists. Changes nothing in a store; a table
 * that comes back is discovered again. Throws: forbidden, not_found, unavailable, wrong_state (configured; present; its
 * database is silent, so its absence is uncertain; or no console database for the audit).
 */
export async function forgetTable(input: {
  ctx: ServiceContext;
  kind: AbsentTable["kind"];
  name: string;
  request: ForgetRequest;
}): Promise<void> {
  const { ctx, kind, name, request } = input;
  requireRole(ctx, "admin");
  const table = await findForgettable(ctx.runtime, kind, name);
  const { records, consoleGuard, known } = ctx.runtime;
  if (!records || !consoleGuard)
    throw new AppError(
      "wrong_state",
      `There is no console database to record this in: set console.databaseUrl in outbox.yaml. Without one, ${name} is forgotten when the console restarts.`,
    );
  await known.settle();
  await consoleGuard.ask(() =>
    records.forgetTable(
      table,
      consoleEntry(ctx.actor, `${kind}.forget`, {
        [kind]: name,
        reason: request.reason,
        detail: `${table.schema}.${table.table} in store ${table.store}, missing since ${table.missingSince ? formatInstant(table.missingSince) : "an unknown time"}`,
      }),
    ),
  );
  known.drop(table);
}

async function findForgettable(runtime: Runtime, kind: AbsentTable["kind"], name: string) {
  const refuse = (message: string) => new AppError("wrong_state", message);
  const configured = kind === "outbox" ? runtime.config.outboxes : runtime.config.inboxes;
  if (Object.hasOwn(configured, name))
    throw refuse(`The ${kind} ${name} is configured: remove it from outbox.yaml and restart the console.`);
  const tables = await runtime.tables();
  const absent = tables.absent.find((one) => one.kind === kind && one.name === name);
  if (absent?.forgettable) return absent.forgettable;
  const there = (kind === "outbox" ? tables.outboxes : tables.inboxes).find((handle) => handle.name === name);
  const store = there?.store.name ?? absent?.store;
  if (store === undefined) throw new AppError("not_found", `There is no ${kind} named "${name}".`);
  const silent = there?.store.guard.silence ?? tables.problems.find((one) => one.store === store && one.name === null);
  if (silent)
    throw refuse(
      `${silent.message} It is unknown whether ${name} still exists. Forget it when the database answers, or remove store ${store} from outbox.yaml.`,
    );
  throw refuse(`The ${kind} ${name} exists: only a missing ${kind} can be forgotten.`);
}
