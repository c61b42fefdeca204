import type { MappingPreview, MappingProposal } from "#contracts/mapping.ts";
import { type Recognition, recogniseOutbox } from "#db/shapes/recognise.ts";
import { COLUMN_ROLES, type OutboxMapping } from "#db/stores/port/mapping.ts";
import type { MessageRow } from "#db/stores/port/message-row.ts";
import type { OutboxFigures } from "#db/stores/port/outbox-figures.ts";
import type { StatusValues } from "#db/stores/port/outbox-reader.ts";
import { AppError } from "#domain/errors.ts";
import type { MessageState } from "#domain/message-state.ts";
import { type OutboxConfig, outboxSchema } from "../config/outbox-schema.ts";
import { lifecycleText } from "../outboxes/lifecycle-text.ts";
import type { OutboxHandle, Runtime } from "../runtime.ts";
import { overridesOf } from "../stores/resolve-mapping.ts";
import { mappingWarnings } from "./mapping-warnings.ts";
import { mappingYaml } from "./mapping-yaml.ts";

const ROWS = 20;
const REQUIRED = new Set<string>(["id", "payload"]);

/**
 * An outbox as another mapping would show it: states of its newest rows, counts, what each action would write, and the
 * lines for outbox.yaml. Without a proposal, as it is configured and recognised. Reads only. Throws: not_found,
 * invalid_input, unavailable.
 */
export async function previewMapping(input: {
  runtime: Runtime;
  outbox: string;
  proposal: MappingProposal | null;
}): Promise<MappingPreview> {
  const handle = await input.runtime.outbox(input.outbox);
  const config = input.proposal ? configOf(handle, input.proposal) : handle.config;
  const { tables } = await handle.store.catalog();
  const recognised = recogniseOutbox(handle.catalog, tables, overridesOf(config));
  if ("problem" in recognised) return emptyPreview(handle, recognised.problem);
  return read(handle, config, recognised);
}

function configOf(
  { config }: OutboxHandle,
  { timeZone = config.timeZone, ...proposed }: MappingProposal,
): OutboxConfig {
  const { store, table } = config;
  const parsed = outboxSchema.safeParse({ store, table, timeZone, ...proposed });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new AppError(
      "invalid_input",
      `${issue?.path.join(".") ?? "The mapping"}: ${issue?.message ?? "is not valid"}.`,
    );
  }
  const { mode, thresholds, relay, deadAttempts } = config;
  return {
    ...parsed.data,
    mode,
    thresholds,
    ...(relay ? { relay } : {}),
    ...(deadAttempts === undefined ? {} : { deadAttempts }),
  };
}

async function read(handle: OutboxHandle, config: OutboxConfig, recognised: Recognition): Promise<MappingPreview> {
  const { mapping } = recognised;
  const { estimatedRows, partitioned } = handle.catalog;
  const store = handle.store.outbox({
    name: handle.name,
    mapping,
    storeSide: false,
    maxAttempts: null,
    estimatedRows,
    partitioned,
  });
  const figures = await store.read.figures();
  const listed = mapping.primaryKey.length === 0 ? null : await listNewest(store.read);
  const values = await store.read.statusValues().catch(ignoreUnread);
  return {
    ...headOf(handle),
    asOf: figures.asOf,
    problem: null,
    shape: { slug: mapping.shape, title: recognised.title, confidence: recognised.confidence },
    question: recognised.missing ?? recognised.question,
    roles: rolesOf(mapping),
    lifecycle: { kind: mapping.lifecycle.kind, text: lifecycleText(mapping) },
    values: values && {
      ...values,
      values: values.values.map((one) => ({ ...one, state: stateOfValue(mapping, one) })),
    },
    counts: figures.counts,
    rows: (listed ?? []).map(toRow),
    warnings: [...recognised.warnings, ...warningsOf(figures, listed)],
    statements: store.act.statements(),
    yaml: mappingYaml({ handle, config, mapping }),
  };
}

/** Null where only a scan of a large table could list them. */
async function listNewest(reader: ReturnType<OutboxHandle["store"]["outbox"]>["read"]): Promise<MessageRow[] | null> {
  try {
    const { rows } = await reader.list({ filter: { state: "all" }, limit: ROWS });
    return rows;
  } catch (error) {
    return ignoreUnread(error);
  }
}

function ignoreUnread(error: unknown): null {
  if (error instanceof AppError && ["filter_not_indexed", "query_timeout"].includes(error.code)) return null;
  throw error;
}

function warningsOf({ counts }: OutboxFigures, rows: MessageRow[] | null): string[] {
  const unread = "The newest rows are not shown: only a scan of the whole table could find them.";
  return [...(rows === null ? [unread] : []), ...mappingWarnings(counts, rows ?? [])];
}

/** The state that a value alone gives; null where other columns decide as well. */
function stateOfValue({ lifecycle }: OutboxMapping, { value }: StatusValues["values"][number]): MessageState | null {
  if (lifecycle.kind !== "status") return null;
  if (value === null) return "unknown";
  const lists = [
    ["pending", lifecycle.pending],
    ["in_flight", lifecycle.inFlight],
    ["failed", lifecycle.failed],
    ["published", lifecycle.published],
    ["dead", lifecycle.dead],
    ["expired", lifecycle.expired],
  ] as const;
  return lists.find(([, words]) => words.includes(value))?.[0] ?? "unknown";
}

function toRow({ id, state, eventType, aggregateId, ageSeconds, attempts, lastError }: MessageRow) {
  return { id, state, eventType, aggregateId, ageSeconds, attempts, lastError };
}

function rolesOf({ columns }: OutboxMapping): MappingPreview["roles"] {
  const roles = COLUMN_ROLES.map((role) => ({
    role,
    column: columns[role]?.name ?? null,
    required: REQUIRED.has(role),
    configured: columns[role]?.from === "config",
  }));
  return roles.toSorted((one, other) => Number(other.required) - Number(one.required));
}

function headOf({ name, catalog }: OutboxHandle) {
  return {
    outbox: name,
    table: `${catalog.schema}.${catalog.name}`,
    columns: catalog.columns.map((column) => ({ name: column.name, type: column.type })),
  };
}

function emptyPreview(handle: OutboxHandle, problem: string): MappingPreview {
  return {
    ...headOf(handle),
    asOf: null,
    problem,
    shape: { slug: "generic", title: "", confidence: "likely" },
    question: null,
    roles: COLUMN_ROLES.map((role) => ({ role, column: null, required: REQUIRED.has(role), configured: false })),
    lifecycle: { kind: "unknown", text: "" },
    values: null,
    counts: {},
    rows: [],
    warnings: [],
    statements: [],
    yaml: "",
  };
}
