import { type MappingPreview, type MappingProposal, mappingProposalSchema } from "#contracts/outbox/mapping.ts";
import type { Candidate } from "#db/shapes/candidates.ts";
import { recogniseOutbox } from "#db/shapes/recognise.ts";
import type { Recognition } from "#db/shapes/recognition.ts";
import { COLUMN_ROLES, type ColumnRole, type OutboxMapping, type PendingWord } from "#db/stores/port/mapping.ts";
import type { MessageRow } from "#db/stores/port/message-row.ts";
import type { OutboxFigures } from "#db/stores/port/outbox-figures.ts";
import type { StatusValues } from "#db/stores/port/outbox-reader.ts";
import type { MessageState } from "#domain/message/message-state.ts";
import type { Actor } from "#domain/operator.ts";
import type { OutboxConfig } from "../config/outbox-schema.ts";
import type { ServiceContext } from "../context.ts";
import { lifecycleText } from "../outboxes/lifecycle-text.ts";
import { maskerFor } from "../outboxes/outbox-of.ts";
import type { MappedTable, Runtime } from "../runtime.ts";
import { overridesOf } from "../stores/resolve-mapping.ts";
import { findMappedTable, type MappingSubject } from "./mapped-table.ts";
import { mappingSettings } from "./mapping-settings.ts";
import { mappingWarnings } from "./mapping-warnings.ts";
import { mappingEntry, mappingYaml } from "./mapping-yaml.ts";
import { proposedConfig } from "./proposed-config.ts";
import { ignoreUnread, openUnder, readValues, wordsIn } from "./read-values.ts";
import { saveRefusal } from "./save-refusal.ts";
import { type Veil, veilOf, veilRow, veilValues } from "./veiled-columns.ts";

const ROWS = 20;
const REQUIRED = new Set<string>(["id", "payload"]);

/**
 * An outbox as another mapping would show it: states of its newest rows, counts, what each action would write, and the
 * lines for outbox.yaml. Without a proposal, as it is configured and recognised. Reads only. Throws: not_found,
 * invalid_input, unavailable.
 */
export async function previewMapping(input: {
  ctx: ServiceContext;
  subject: MappingSubject;
  proposal: MappingProposal | null;
}): Promise<MappingPreview> {
  const { runtime, actor } = input.ctx;
  const found = await findMappedTable(runtime, input.subject);
  const config = input.proposal ? proposedConfig(found, input.proposal) : found.config;
  const recognised = recogniseOutbox(found.catalog, found.tables, overridesOf(config));
  const head = { ...headOf(found, config), save: saveOf(runtime, actor, found) };
  if ("problem" in recognised) {
    const asked = input.proposal === null ? (found.question ?? null) : null;
    return { ...head, ...emptyPreview({ problem: recognised.problem, question: asked }, found, config) };
  }
  const masker = await maskerFor({ config: found.config, masking: runtime.config.masking });
  return { ...head, ...(await read(found, config, recognised, masker && veilOf(found, masker))) };
}

function saveOf(runtime: Runtime, actor: Actor, { name }: MappedTable): MappingPreview["save"] {
  const { configFile, config } = runtime;
  return {
    file: configFile?.name ?? "outbox.yaml",
    version: configFile?.versionOf(name) ?? "",
    refusal: saveRefusal(runtime, actor),
    configured: Object.hasOwn(config.outboxes, name),
  };
}

type Found = MappedTable & Partial<Pick<Candidate, "columns">>;
type Body = Omit<MappingPreview, keyof ReturnType<typeof headOf> | "save">;

async function read(
  handle: MappedTable,
  config: OutboxConfig,
  recognised: Recognition,
  veil: Veil | null,
): Promise<Body> {
  const { mapping } = recognised;
  const store = openUnder(handle, mapping);
  const figures = await store.read.figures();
  const newest = mapping.primaryKey.length === 0 ? null : await listNewest(store.read);
  const listed = veil ? (newest?.map((row) => veilRow(row, mapping, veil)) ?? null) : newest;
  const all = await readValues(store);
  const values = veil ? veilValues(all, veil) : all;
  const found = wordsIn(values);
  const question = recognised.missing ?? recognised.question;
  return {
    asOf: figures.asOf,
    problem: null,
    shape: { slug: mapping.shape, title: recognised.title, confidence: recognised.confidence },
    question,
    answer:
      question === null ? null : answerOf(handle, config, mappingSettings(mapping, { found, said: config.lifecycle })),
    roles: rolesOf((role) => ({
      column: mapping.columns[role]?.name ?? null,
      configured: mapping.columns[role]?.from === "config",
    })),
    lifecycle: { kind: mapping.lifecycle.kind, text: lifecycleText(mapping) },
    values: values && {
      ...values,
      values: values.values.map((one) => ({ ...one, state: stateOfValue(mapping, one) })),
    },
    counts: figures.counts,
    rows: (listed ?? []).map(toRow),
    warnings: [...recognised.warnings, ...warningsOf(figures, listed)],
    statements: store.act.statements(),
    yaml: mappingYaml(handle.name, mappingEntry(config, mapping, found)),
  };
}

/** The shown mapping as a person's proposal; null if a question remains open. */
function answerOf(
  handle: MappedTable,
  { timeZone }: OutboxConfig,
  settings: ReturnType<typeof mappingSettings>,
): MappingProposal | null {
  const answer = mappingProposalSchema.safeParse({ ...settings, timeZone });
  if (!answer.success) return null;
  const config = proposedConfig(handle, answer.data);
  const recognised = recogniseOutbox(handle.catalog, handle.tables, overridesOf(config));
  return "problem" in recognised || (recognised.missing ?? recognised.question) !== null ? null : answer.data;
}

/** Null where only a scan of a large table could list them. */
async function listNewest(reader: ReturnType<MappedTable["store"]["outbox"]>["read"]): Promise<MessageRow[] | null> {
  try {
    const { rows } = await reader.list({ filter: { state: "all" }, limit: ROWS });
    return rows;
  } catch (error) {
    return ignoreUnread(error);
  }
}

function warningsOf({ counts }: OutboxFigures, rows: MessageRow[] | null): string[] {
  const unread = "The newest rows are not shown: only a scan of the whole table could find them.";
  return [...(rows === null ? [unread] : []), ...mappingWarnings(counts, rows ?? [])];
}

/** The state that the value alone determines; null if other columns decide as well. */
function stateOfValue({ lifecycle }: OutboxMapping, { value }: StatusValues["values"][number]): MessageState | null {
  if (lifecycle.kind !== "status") return null;
  const lists: readonly (readonly [MessageState, readonly PendingWord[]])[] = [
    ["pending", lifecycle.pending],
    ["in_flight", lifecycle.inFlight],
    ["failed", lifecycle.failed],
    ["published", lifecycle.published],
    ["dead", lifecycle.dead],
    ["expired", lifecycle.expired],
  ];
  return lists.find(([, words]) => words.includes(value))?.[0] ?? "unknown";
}

function toRow({ id, state, eventType, aggregateId, ageSeconds, attempts, lastError }: MessageRow) {
  return { id, state, eventType, aggregateId, ageSeconds, attempts, lastError };
}

type Role = MappingPreview["roles"][number];

function rolesOf(of: (role: ColumnRole) => Pick<Role, "column" | "configured">): Role[] {
  const roles = COLUMN_ROLES.map((role) => ({ role, required: REQUIRED.has(role), ...of(role) }));
  return roles.toSorted((one, other) => Number(other.required) - Number(one.required));
}

function headOf({ name, catalog }: MappedTable, { columns, shape, lifecycle, timeZone }: OutboxConfig) {
  return {
    proposal: { columns, timeZone, ...(shape ? { shape } : {}), ...(lifecycle ? { lifecycle } : {}) },
    outbox: name,
    table: `${catalog.schema}.${catalog.name}`,
    columns: catalog.columns.map((column) => ({ name: column.name, type: column.type })),
  };
}

/** What is known of a table that cannot be mapped: its question and columns, if it may be an outbox. */
function emptyPreview(said: Pick<Body, "problem" | "question">, { columns }: Found, config: OutboxConfig): Body {
  const known = { ...columns, ...config.columns };
  return {
    asOf: null,
    ...said,
    shape: { slug: "generic", title: "", confidence: "likely" },
    answer: null,
    roles: rolesOf((role) => ({ column: known[role] ?? null, configured: config.columns[role] !== undefined })),
    lifecycle: { kind: "unknown", text: "" },
    values: null,
    counts: {},
    rows: [],
    warnings: [],
    statements: [],
    yaml: "",
  };
}
