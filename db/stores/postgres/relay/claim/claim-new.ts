import { randomUUID } from "node:crypto";
import type { MappedColumn, OutboxMapping } from "#db/stores/port/mapping.ts";
import { decodeMessageId } from "#db/stores/port/message-id.ts";
import type { ClaimRequest, ClaimResult } from "#db/stores/port/relay/claim.ts";
import { type Lease, LeaseLostError } from "#db/stores/port/relay/lease.ts";
import type { OrderKey } from "#db/stores/port/relay/outgoing-message.ts";
import type { Line } from "#db/stores/postgres/connection/sessions.ts";
import { textArray } from "#db/stores/postgres/connection/text-array.ts";
import {
  columnSql,
  encodeInstant,
  instantExpression,
  keyParameters,
  orderColumn,
  quoteLiteral,
  quoteTable,
  unsentPredicate,
} from "#db/stores/postgres/tables/mapping-sql.ts";
import { outboxLockSql } from "#db/stores/postgres/tables/outbox-lock.ts";
import { ownsAll } from "#domain/partitions.ts";
import { leaseHoldsSql, termOf } from "../lease/lease.ts";
import { partitionMask, rowInPartitions } from "../partition-sql.ts";
import type { RowReader } from "../read-row.ts";
import { aggregateKey, messageId, orderSql, type RelayContext, type StatementContext } from "../relay-context.ts";
import { TransactionHorizon } from "../transaction-horizon.ts";
import { notBesideSql } from "./not-dead.ts";
import { notIsolatedSql } from "./not-isolated.ts";
import { pausedTypes, typeGoesSql } from "./pause-filter.ts";
import { tableXminSql } from "./writers.ts";

/** A claim that a crash of the server forgets is a claim whose settle is fenced: no need to wait for the disk. */
const NO_WAIT = "set_config('synchronous_commit', 'off', true)";
/** After the read, so that no transaction of the read's snapshot is above it. */
export const CLOSING: Line = {
  name: "outbox_console_claimed",
  text: "SELECT pg_snapshot_xmax(pg_current_snapshot())::text, (extract(epoch FROM clock_timestamp()) * 1000)::float8::text",
  values: [],
};

/** What a relay may take of the table, before positions and exclusions. */
export function claimable(context: StatementContext): string {
  const { availableAt } = context.mapping.columns;
  const due = availableAt
    ? ` AND (${columnSql(availableAt, "o")} IS NULL OR ${columnSql(availableAt, "o")} <= ${encodeInstant(availableAt, "statement_timestamp()")})`
    : "";
  return `${unsentPredicate(context.mapping, "o")}${due}`;
}

export interface ClaimVariant {
  fromStart: boolean;
  /** Payloads may be large: add up their sizes. A table without anything in its TOAST table is spared that. */
  measured: boolean;
  /** The term does not own all partitions: those of others are left out. */
  shared: boolean;
  /** Only rows that were made so long before. */
  agedMs?: number;
}

/**
 * Reads due rows in order; their claim is written in the same short transaction, by the statements that close it: a
 * claim made of the read itself would copy every payload once more.
 * Index: a partial index on the order (or creation time) of unsent rows; without one the primary key is walked.
 * Race: an operator's verb on the same rows. Both take the outbox's advisory lock before the statement that reads, so
 * that either the verb sees this claim or this read sees what the verb did. NOT IN over unnest is a hashed subplan: it
 * keeps the order of the index scan and costs the same for one id as for thousands.
 */
export function claimStatement(context: StatementContext, reader: RowReader, variant: ClaimVariant): string {
  const { payload } = context.mapping.columns;
  const rows = dueRows(context, variant, agedSql(context, variant));
  return variant.measured
    ? `SELECT ${reader.columns.join(", ")}, o.outbox_console_bytes::text
       FROM (${withSizes(payload, orderSql(context.mapping).orderBy, rows)}) o WHERE ${fits(payload)}`
    : `SELECT ${reader.columns.join(", ")} FROM (${rows}) o WHERE $3::bigint > 0`;
}

function agedSql({ mapping }: StatementContext, { agedMs }: ClaimVariant): string {
  const { createdAt } = mapping.columns;
  if (agedMs === undefined || !createdAt) return "";
  return `AND ${instantExpression(createdAt, "o")} < statement_timestamp() - ${agedMs} * interval '1 ms'`;
}

/** Whether a claim would find anything: one statement and no transaction, for an outbox where little happens. */
function peekStatement(context: RelayContext, variant: ClaimVariant): string {
  return `SELECT ($3::bigint > 0 AND EXISTS (${dueRows(context, variant)}))::text`;
}

/** `within`: a further condition. */
export function dueRows(context: StatementContext, variant: ClaimVariant, within = ""): string {
  const { mapping } = context;
  const order = orderSql(mapping);
  const keys = mapping.primaryKey.map((column) => columnSql(column, "o"));
  const arrays = mapping.primaryKey.map((column, index) => `$${7 + index}::text[]::${column.type}[]`);
  const key = aggregateKey(context);
  const partitions = variant.shared ? `AND ${rowInPartitions(context, 7 + keys.length)}` : "";
  return `
      SELECT o.* FROM ${quoteTable(mapping.table)} o
      WHERE ${claimable(context)}
        AND ${fromPosition(order, variant)} ${within}
        AND ${keys.length === 1 ? keys[0] : `(${keys.join(", ")})`} NOT IN (SELECT * FROM unnest(${arrays.join(", ")}))
        ${partitions}
        AND (cardinality($4::text[]) = 0 OR (${key} IN (SELECT unnest($4::text[]))) IS NOT TRUE)
        AND ${notBesideSql(messageId(mapping))}
        AND ${notIsolatedSql(messageId(mapping))}
        AND ${typeGoesSql(context, 7 + keys.length + (variant.shared ? 1 : 0))}
      ORDER BY ${order.orderBy} LIMIT $2`;
}

/** Writes the claim of messages that were read in the same transaction. */
function insertClaim(lease: Lease, token: string, ids: readonly string[]): Line {
  return {
    name: "outbox_console_insert",
    text: "INSERT INTO outbox_console.claim (token, outbox, owner, epoch, message_ids) VALUES ($1, $2, $3, $4, $5)",
    values: [token, lease.outbox, lease.owner, String(lease.epoch), textArray(ids)],
  };
}

/** `parameter`: the first of the two that hold the position. */
export function fromPosition(
  { columns, types }: ReturnType<typeof orderSql>,
  { fromStart }: Pick<ClaimVariant, "fromStart">,
  parameter = 5,
): string {
  const [first, second] = [`$${parameter}::text`, `$${parameter + 1}::text`];
  if (fromStart) return `${first} IS NULL AND ${second} IS NULL`;
  const position = types.map((type, index) => `${index === 0 ? first : second}::${type}`);
  return `(${columns.join(", ")}) >= (${position.join(", ")})${types.length === 1 ? ` AND ${second} IS NOT NULL` : ""}`;
}

/** Each row with the sizes of all payloads up to it, as they are stored: what is compressed counts less. */
function withSizes(payload: MappedColumn, orderBy: string, rows: string): string {
  const size = `pg_column_size(${columnSql(payload, "o")})`;
  return `SELECT o.*, sum(${size}) OVER (ORDER BY ${orderBy} ROWS UNBOUNDED PRECEDING) AS outbox_console_bytes FROM (${rows}) o`;
}

function fits(payload: MappedColumn): string {
  return `o.outbox_console_bytes IS NULL OR o.outbox_console_bytes - coalesce(pg_column_size(${columnSql(payload, "o")}), 0) < $3::bigint`;
}

/**
 * The last unsent row, by the same position as its message has: everything above it was not there yet. Of any partition:
 * the mark passes rows of others as it passes those that are withheld, and a search for one of ours could walk over
 * their whole backlog. Index: as for the claim, backwards.
 */
function lastStatement(context: RelayContext): string {
  const { mapping } = context;
  const { orderBy } = orderSql(mapping);
  const position = [orderColumn(mapping), mapping.columns.id].map((column) => `${columnSql(column, "o")}::text`);
  return `SELECT ${position.join(", ")} FROM ${quoteTable(mapping.table)} o WHERE ${unsentPredicate(mapping, "o")}
    ORDER BY ${orderBy
      .split(", ")
      .map((sql) => `${sql} DESC`)
      .join(", ")} LIMIT 1`;
}

/** `RelayTable.claimNew` and `hasNew` of one outbox. Their statements are put together once. */
export function createClaimNew(
  context: RelayContext,
  reader: RowReader,
): { claimNew(request: ClaimRequest): Promise<ClaimResult>; hasNew(request: ClaimRequest): Promise<boolean> } {
  const statements = new Map<string, string>();
  const once = (name: string, write: () => string): string => {
    const statement = statements.get(name) ?? write();
    statements.set(name, statement);
    return statement;
  };
  return {
    claimNew: (request) => claimNew(context, reader, request, once),
    hasNew: (request) => hasNew(context, request, once),
  };
}

type Once = (name: string, write: () => string) => string;

async function claimNew(
  context: RelayContext,
  reader: RowReader,
  request: ClaimRequest,
  once: Once,
): Promise<ClaimResult> {
  const token = randomUUID();
  return context.sessions.transaction({
    opening: claimOpening(context, request.lease, request.wantWriters),
    closing: [CLOSING],
    work: async (session, opened, close) => {
      const { xmin, measured, writersXmin } = readOpening(opened);
      const { agedMs } = request;
      const aged = agedMs === undefined ? {} : { agedMs };
      const variant = { fromStart: request.after === null, measured, shared: !ownsAll(request.lease), ...aged };
      const name = `claim-${variantName(variant)}`;
      const last = request.wantLast ? await session.query("claim-last", lastStatement(context), []) : null;
      const statement = once(name, () => claimStatement(context, reader, variant));
      const { rows } = await session.query(name, statement, parametersOf(context, request));
      const messages = rows.map((row) => reader.read(row));
      const ids = messages.map((message) => message.id);
      const closed = await close(ids.length > 0 ? [insertClaim(request.lease, token, ids)] : []);
      const [xmax, databaseTimeMs] = closed[0]?.[0] ?? [];
      const bytes = variant.measured ? Number(rows.at(-1)?.[reader.columns.length] ?? 0) : 0;
      return {
        claim: messages.length > 0 ? { token, messages } : null,
        more: agedMs !== undefined || rows.length >= request.limit || bytes >= request.maxBytes,
        horizon: new TransactionHorizon(xmin, BigInt(xmax ?? 0), writersXmin),
        last: orderOf(last?.rows[0]),
        databaseTimeMs: Number(databaseTimeMs ?? 0),
      };
    },
  });
}

async function hasNew(context: RelayContext, request: ClaimRequest, once: Once): Promise<boolean> {
  const variant = { fromStart: request.after === null, measured: false, shared: !ownsAll(request.lease) };
  const name = `peek-${variantName(variant)}`;
  const statement = once(name, () => peekStatement(context, variant));
  const { rows } = await context.sessions.single(name, statement, parametersOf(context, { ...request, limit: 1 }));
  return rows[0]?.[0] === "true";
}

export function variantName({ fromStart, measured, shared, agedMs }: ClaimVariant): string {
  const place = fromStart ? "start" : "after";
  return `${place}-${measured ? "measured" : "small"}${shared ? "-shared" : ""}${agedMs === undefined ? "" : `-aged-${agedMs}`}`;
}

/** As `dueRows` numbers them. */
export function parametersOf(context: StatementContext, request: ClaimRequest): unknown[] {
  const keyLength = context.mapping.primaryKey.length;
  const keys = request.excludeIds.map((id) => decodeMessageId(id, keyLength));
  return [
    request.lease.outbox,
    request.limit,
    request.maxBytes,
    textArray(request.excludeAggregates),
    request.after?.[0] ?? null,
    request.after?.[1] ?? null,
    ...keyParameters(keys, keyLength).map(textArray),
    ...(ownsAll(request.lease) ? [] : [partitionMask(request.lease)]),
    ...pausedTypes(context),
  ];
}

/** Whether any value of the table is stored apart from its row, as large ones are; true when that cannot be told. */
function largePayloadsSql(mapping: OutboxMapping): string {
  return `(SELECT (c.relkind = 'p' OR c.reltoastrelid <> 0 AND pg_relation_size(c.reltoastrelid) > 0)::text
    FROM pg_class c WHERE c.oid = ${quoteLiteral(quoteTable(mapping.table))}::regclass)`;
}

/**
 * What stands before a claim's read: the lock, and then, in a statement of its own that sees what the lock protects,
 * the lease. The snapshot is older than the read's, so that all transactions below its xmin have ended for the read.
 */
export function claimOpening(context: RelayContext, lease: ClaimRequest["lease"], wantWriters = false): Line[] {
  const { outbox, mapping } = context;
  const facts = `SELECT ${leaseHoldsSql(context)}, pg_snapshot_xmin(pg_current_snapshot())::text, ${largePayloadsSql(mapping)}${wantWriters ? `, ${tableXminSql(mapping)}` : ""}`;
  return [
    { name: "outbox_console_lock", text: `${outboxLockSql(outbox, "shared")}, ${NO_WAIT}`, values: [] },
    { name: `outbox_console_facts${wantWriters ? "_writers" : ""}`, text: facts, values: termOf(lease) },
  ];
}

/** Throws LeaseLostError. */
export function readOpening(opened: readonly (string | null)[][][]): {
  xmin: bigint;
  measured: boolean;
  writersXmin: bigint | null;
} {
  const [holds, xmin, large, writers] = opened.at(-1)?.[0] ?? [];
  if (holds !== "true") throw new LeaseLostError("The lease of this relay is over.");
  const writersXmin = writers == null ? null : BigInt(writers);
  return { xmin: BigInt(xmin ?? 0), measured: large !== "false", writersXmin };
}

export function orderOf(row: readonly (string | null)[] | undefined): OrderKey | null {
  const [first, second] = row ?? [];
  return typeof first === "string" && typeof second === "string" ? [first, second] : null;
}
