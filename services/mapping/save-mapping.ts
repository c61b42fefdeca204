import type { SavedMapping, SaveMapping } from "#contracts/outbox/mapping.ts";
import type { Records } from "#db/records/records.ts";
import { recogniseOutbox } from "#db/shapes/recognise.ts";
import { AppError, ConfigError, isAppError } from "#domain/errors.ts";
import { consoleEntry } from "../audit/console-entry.ts";
import type { ConfigFile } from "../config/config-file.ts";
import type { Config } from "../config/config-schema.ts";
import { withIgnoredTable, withMapping, withStoreOfUrl } from "../config/edit-config.ts";
import type { OutboxConfig } from "../config/outbox-schema.ts";
import { isSameTable } from "../config/take-over.ts";
import { requireRole, type ServiceContext } from "../context.ts";
import type { MappedTable, Runtime } from "../runtime.ts";
import { overridesOf } from "../stores/resolve-mapping.ts";
import { acceptMapping } from "./accept-mapping.ts";
import { changeConfigFile } from "./change-config-file.ts";
import { findMappedTable, type MappingSubject } from "./mapped-table.ts";
import { mappingEntry } from "./mapping-yaml.ts";
import { proposedConfig } from "./proposed-config.ts";
import { openUnder, readValues, wordsIn } from "./read-values.ts";
import { saveRefusal } from "./save-refusal.ts";

interface SaveInput<Request> {
  ctx: ServiceContext;
  subject: MappingSubject;
  request: Request;
}

/**
 * Writes a mapping into outbox.yaml, with an audit row, and applies it. Where operators or our relay act on the table,
 * the mapping is accepted as well. Throws: forbidden, not_found, unavailable, invalid_input, wrong_state (a question is
 * open, or the file cannot be written), conflict (another person has saved meanwhile).
 */
export async function saveMapping({ ctx, subject, request }: SaveInput<SaveMapping>): Promise<SavedMapping> {
  const { runtime, actor } = ctx;
  const { found, file, records } = await requireSaving(ctx, subject);
  const config = proposedConfig(found, request.proposal);
  const recognised = recogniseOutbox(found.catalog, found.tables, overridesOf(config));
  if ("problem" in recognised) throw new AppError("wrong_state", recognised.problem);
  const open = recognised.missing ?? recognised.question;
  if (open !== null) throw new AppError("wrong_state", `Answer this first: ${open}`);
  const { mapping } = recognised;
  const words = wordsIn(await readValues(openUnder(found, mapping)));
  const entry = mappingEntry(config, mapping, words);
  const edit = (text: string) => {
    requireVersion(file, found, request.version);
    requireSameTable(text, { file, runtime, found });
    return withMapping(text, found.name, entry);
  };
  const about = { outbox: found.name, reason: request.reason, detail: JSON.stringify(entry) };
  const audit = consoleEntry(actor, "mapping.save", about);
  await changeConfigFile({ file, records, fresh: () => freshText(runtime.config) }, edit, audit);
  const saved = `Saved in ${file.name}.`;
  const problem = await follow(runtime, config.store);
  if (problem !== null) return { outbox: found.name, message: `${saved} ${problem}` };
  const next =
    config.mode === "observe" ? "The console now uses this mapping." : await accept(ctx, found.name, request.reason);
  return { outbox: found.name, message: `${saved} ${next}` };
}

/** Adds a table to `ignoredTables`: it is no longer listed, and no longer asked about. Throws as saveMapping. */
export async function ignoreTable(input: SaveInput<{ reason: string }>): Promise<SavedMapping> {
  const { ctx, subject, request } = input;
  const { runtime, actor } = ctx;
  const { found, file, records } = await requireSaving(ctx, subject);
  if (Object.hasOwn(runtime.config.outboxes, found.name))
    throw new AppError("wrong_state", `Outbox ${found.name} is configured: remove it from ${file.name} instead.`);
  const { store, table } = found.config;
  const edit = (text: string) => withIgnoredTable(text, { store, table });
  const about = { reason: request.reason, detail: `${table} in store ${store}` };
  const audit = consoleEntry(actor, "mapping.ignore", about);
  await changeConfigFile({ file, records, fresh: () => freshText(runtime.config) }, edit, audit);
  const problem = await follow(runtime, store);
  return { outbox: null, message: `Saved in ${file.name}. ${problem ?? `${table} is no longer listed.`}` };
}

async function requireSaving(ctx: ServiceContext, subject: MappingSubject) {
  requireRole(ctx, "admin");
  const found = await findMappedTable(ctx.runtime, subject);
  const { configFile, records } = ctx.runtime;
  const refusal = saveRefusal(ctx.runtime, ctx.actor);
  if (refusal !== null || !configFile || !records)
    throw new AppError("wrong_state", refusal ?? "Nothing can be saved.");
  return { found, file: configFile, records } satisfies { found: MappedTable; file: ConfigFile; records: Records };
}

function requireVersion(file: ConfigFile, { name }: MappedTable, version: string): void {
  if (file.versionOf(name) !== version)
    throw new AppError("conflict", `${name} has been changed in ${file.name} meanwhile: load the page again.`);
}

/** The file may now give the name to another table, or use it differently, without a restart so far. */
function requireSameTable(
  text: string,
  { file, runtime, found }: { file: ConfigFile; runtime: Runtime; found: MappedTable },
): void {
  const written: OutboxConfig | undefined = text === "" ? undefined : file.parse(text).outboxes[found.name];
  if (!written || isSameTable(written, runtime.config.outboxes[found.name] ?? found.config)) return;
  throw new AppError(
    "conflict",
    `${file.name} says another store, table or mode of ${found.name} than this console was started with: restart it first.`,
  );
}

/** A first file, for a console that was started with DATABASE_URL alone. */
function freshText({ stores }: Config): string {
  return withStoreOfUrl("", stores.default?.kind ?? "postgres");
}

/** Takes the file over. Returns a sentence if that did not succeed, although the file is saved. */
async function follow(runtime: Runtime, store: string): Promise<string | null> {
  try {
    runtime.followConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return `It is not followed yet: ${error.message}`;
  }
  return reread(runtime, store);
}

/** Returns a sentence if the table could not be read again: the mapping is saved, and counts from the next read on. */
async function reread(runtime: Runtime, store: string): Promise<string | null> {
  try {
    await runtime.refresh(store);
    return null;
  } catch (error) {
    if (!isAppError(error)) throw error;
    return `The table could not be read again yet: ${error.message}`;
  }
}

/** Returns a sentence instead of throwing if accepting fails, because the mapping is saved by then. */
async function accept({ runtime, actor }: ServiceContext, outbox: string, reason: string): Promise<string> {
  const expected = runtime.config.outboxes[outbox];
  try {
    const accepted = await acceptMapping({ runtime, outbox, actor, reason, ...(expected ? { expected } : {}) });
    return (await reread(runtime, expected?.store ?? "")) ?? accepted;
  } catch (error) {
    if (!(error instanceof ConfigError || error instanceof AppError)) throw error;
    return `It is not accepted yet: ${error.message}`;
  }
}
