import { randomUUID } from "node:crypto";
import type { ClaimRequest, ClaimResult } from "#db/stores/port/relay/claim.ts";
import type { Lease } from "#db/stores/port/relay/lease.ts";
import type { Line } from "#db/stores/postgres/connection/sessions.ts";
import { instantExpression } from "#db/stores/postgres/tables/mapping-sql.ts";
import { ownsAll } from "#domain/relay/partitions.ts";
import { type RowReader, WRITER } from "../read-row.ts";
import type { RelayContext, StatementContext } from "../relay-context.ts";
import { isBelowSql, lowXid, ReadPoint } from "../row-version.ts";
import { TransactionHorizon } from "../transaction-horizon.ts";
import { areFew, claimFew, mayBeFew } from "./claim-few.ts";
import { CLOSING, claimOpening, readOpening } from "./claim-transaction.ts";
import { amongParameters, type ClaimVariant, dueRows, type Once, parametersOf, variantName } from "./claimable.ts";
import { fromMeasuredRows } from "./measured-rows.ts";
import { readLast } from "./read-last.ts";

/**
 * Reads due rows in order. Their claim is written in the same short transaction, by its closing statements: inserting
 * the claim within this statement would copy every payload once more.
 * Index: a partial index on the order (or creation time) of unsent rows; without one the primary key is walked.
 * Race: an operator's verb on the same rows. Both take the outbox's advisory lock before the statement that reads, so
 * either the verb sees this claim or this read sees the verb's change. NOT IN over unnest is a hashed subplan: it keeps
 * the order of the index scan and costs the same for one id as for thousands.
 */
export function claimStatement(context: StatementContext, reader: RowReader, variant: ClaimVariant, last = 0): string {
  const columns = [...columnsOf(reader, variant), ...agedColumn(context, variant, last)].join(", ");
  return variant.measured
    ? `SELECT ${columns}, o.outbox_console_bytes::text ${fromMeasuredRows(context, variant)}`
    : `SELECT ${columns} FROM (${dueRows(context, variant)}) o WHERE $3::bigint > 0`;
}

/** NULL for the writer of a row below the read's point: in a backlog nearly all are. */
function columnsOf({ columns, writer }: RowReader, { point }: ClaimVariant): string[] {
  if (point === undefined || writer < 0) return columns;
  const told = `CASE WHEN ${isBelowSql(`o.${WRITER}`, `$${point}`)} THEN NULL ELSE o.${WRITER}::text END`;
  return columns.map((sql, index) => (index === writer ? told : sql));
}

/**
 * "false" if a row is not old enough, as the column after a message's own. `last`: the number of the last parameter.
 */
function agedColumn({ mapping }: StatementContext, { agedMs, since }: ClaimVariant, last: number): string[] {
  const { createdAt } = mapping.columns;
  if (agedMs === undefined || !createdAt) return [];
  const aged = `coalesce(${instantExpression(createdAt, "o")} < (SELECT statement_timestamp() - ${agedMs} * interval '1 ms'), false)`;
  // A transaction below a snapshot's xmin had ended; so had its subtransactions, whose ids are above its own.
  const isOld = `${aged}${since ? ` AND ${isBelowSql(`o.${WRITER}`, `$${last}`)}` : ""}`;
  // NULL for the thousands that are old, which costs less to send and to read than a word for each.
  return [`nullif(${isOld}, true)::text`];
}

/**
 * The rows before the first that is too young. A young one is not passed over: the next read would begin behind it, and
 * later rows of its aggregate would overtake it. A window function in the statement would copy every payload.
 */
function beforeYoung(rows: (string | null)[][], place: number): (string | null)[][] {
  const young = rows.findIndex((row) => row[place] === "false");
  return young < 0 ? rows : rows.slice(0, young);
}

/** True if a claim would find anything. One statement and no transaction, for mostly idle outboxes. */
function peekStatement(context: RelayContext, variant: ClaimVariant): string {
  return `SELECT ($3::bigint > 0 AND EXISTS (${dueRows(context, variant)}))::text`;
}

/**
 * Writes the claim of messages read in the same transaction. Encoded ids have no comma, and splitting a text takes the
 * server half as long as reading an array.
 */
export function insertClaim(lease: Lease, token: string, ids: readonly string[]): Line {
  return {
    name: "outbox_console_insert",
    text: "INSERT INTO outbox_console.claim (token, outbox, owner, epoch, message_ids) VALUES ($1, $2, $3, $4, string_to_array($5, ','))",
    values: [token, lease.outbox, lease.owner, String(lease.epoch), ids.join(",")],
  };
}

/** `RelayTable.claimNew` and `hasNew` of one outbox, with cached statements. */
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
  let few = false;
  return {
    claimNew: async (request) => {
      const result = await (few && mayBeFew(request) ? claimFew : claimNew)(context, reader, request, once);
      few = areFew(result);
      return result;
    },
    hasNew: (request) => hasNew(context, request, once),
  };
}

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
    work: async (session, opened, close, read) => {
      const { xmin, measured, measures, writersXmin } = readOpening(opened);
      context.measures = measures;
      const place = context.place.at(xmin);
      const { variant, parameters } = readOf(context, request, { measured, place });
      const name = `outbox_console_claim_${variantName(variant).replaceAll("-", "_")}`;
      const end = request.wantLast ? await readLast(session, context) : null;
      const text = once(name, () => claimStatement(context, reader, variant, parameters.length));
      const found = await read({ name, text, values: parameters });
      const judged = agedColumn(context, variant, parameters.length).length;
      const rows = judged > 0 ? beforeYoung(found, reader.columns.length) : found;
      const readPoint = new ReadPoint(place);
      const messages = rows.map((row) => reader.read(row, readPoint));
      context.place.keepIf(rows.every((row) => row[reader.writer] === null));
      const ids = messages.map((message) => message.id);
      const closed = await close(ids.length > 0 ? [insertClaim(request.lease, token, ids)] : []);
      const [xmax, databaseTimeMs] = closed.at(-1)?.[0] ?? [];
      const bytes = variant.measured ? Number(rows.at(-1)?.[reader.columns.length + judged] ?? 0) : 0;
      return {
        claim: messages.length > 0 ? { token, messages } : null,
        more: request.agedMs !== undefined || rows.length >= request.limit || bytes >= request.maxBytes,
        horizon: new TransactionHorizon(xmin, BigInt(xmax ?? 0), writersXmin),
        last: end,
        databaseTimeMs: Number(databaseTimeMs ?? 0),
      };
    },
  });
}

/** What the claim's statement depends on, and its parameters. */
function readOf(
  context: RelayContext,
  request: ClaimRequest,
  { measured, place }: { measured: ClaimVariant["measured"]; place: bigint },
): { variant: ClaimVariant; parameters: (string | null)[] } {
  const { after, agedMs, lease } = request;
  const since = sinceOf(context, request);
  const aged = agedMs === undefined ? {} : { agedMs, since: since.length > 0 };
  const given = parametersOf(context, request);
  const point = given.length + 1;
  const among = request.among ? { among: point + 1 } : {};
  const keys = request.among ? amongParameters(context, request.among) : [];
  return {
    variant: { fromStart: after === null, measured, shared: !ownsAll(lease), point, ...among, ...aged },
    parameters: [...given, lowXid(place), ...keys, ...since],
  };
}

/** The parameter with which rows are judged by their transactions. */
function sinceOf({ mapping }: StatementContext, { agedMs, since }: ClaimRequest): string[] {
  const isJudged = agedMs !== undefined && mapping.columns.createdAt !== undefined;
  return isJudged && since instanceof TransactionHorizon ? [lowXid(since.xmin)] : [];
}

async function hasNew(context: RelayContext, request: ClaimRequest, once: Once): Promise<boolean> {
  const variant = { fromStart: request.after === null, measured: false, shared: !ownsAll(request.lease) } as const;
  const name = `peek-${variantName(variant)}`;
  const statement = once(name, () => peekStatement(context, variant));
  const { rows } = await context.sessions.single(name, statement, parametersOf(context, { ...request, limit: 1 }));
  return rows[0]?.[0] === "true";
}
