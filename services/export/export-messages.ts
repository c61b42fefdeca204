import type { MessageColumn, MessageExportQuery } from "#contracts/message/export.ts";
import type { MessageRow } from "#db/stores/port/message-row.ts";
import type { OutboxReader } from "#db/stores/port/outbox-reader.ts";
import type { MaskRules } from "#domain/masking/mask-rules.ts";
import { requireRole, type ServiceContext } from "../context.ts";
import { requireErrorSearch } from "../masking/require-error-search.ts";
import { requireKey } from "../messages/list-messages.ts";
import { requireTraces } from "../messages/require-traces.ts";
import { maskerFor, outboxOf } from "../outboxes/outbox-of.ts";
import type { Cell } from "./cell.ts";
import type { ExportPage, OpenExport } from "./export-job.ts";
import { openExport } from "./open-export.ts";
import { recordExport } from "./record-export.ts";
import { MOST_PAYLOAD_BYTES, storedCell } from "./stored-cell.ts";

const PAGE_ROWS = 200;
const PAYLOAD_COLUMNS = ["payload", "payloadFormat", "headers", "headersFormat"] as const;
const LEFT_TABLE: Cell[] = [null, "gone", null, "gone"];

/**
 * The messages of a filter as a file, in the list's order. Each page is read at its own moment, by key, so no
 * transaction stays open: a message that changes its state meanwhile is written as its page saw it. Throws: forbidden,
 * not_found, invalid_input, filter_not_indexed, too_many_requests, unavailable, query_timeout.
 */
export async function exportMessages(input: {
  ctx: ServiceContext;
  outbox: string;
  query: MessageExportQuery;
}): Promise<OpenExport> {
  const { ctx, query } = input;
  requireRole(ctx, "viewer");
  const handle = await ctx.runtime.outbox(input.outbox);
  requireKey(handle.mapping.primaryKey.length, handle.name);
  const { format, columns, payload, ...filter } = query;
  await requireErrorSearch(handle, ctx.actor, filter);
  requireTraces(handle, filter);
  const { read } = outboxOf(handle);
  const masker = await maskerFor(handle);
  const hidden = handle.catalog.rowSecurity ? "Row level security may hide rows from this console." : null;
  return openExport<MessageRow>(ctx.runtime, `${handle.name}-${filter.state}`, {
    format,
    names: payload === "1" ? [...columns, ...PAYLOAD_COLUMNS] : columns,
    page: async (cursor) => {
      const page = await read.list({ filter, cursor, limit: PAGE_ROWS, count: false });
      return { ...page, missing: missingOf(page.partial) ?? hidden };
    },
    cells: async (row) => {
      const own = columns.map((column) => cellOf(row, column));
      return payload === "1" ? [...own, ...(await payloadOf(read, row.id, masker?.rules(row.eventType) ?? null))] : own;
    },
    ...recordExport({ ctx, action: "messages.export", outbox: handle.name, inbox: null, query }),
  });
}

const cellOf = (row: MessageRow, column: MessageColumn): Cell => row[column];

async function payloadOf(read: OutboxReader, id: string, rules: MaskRules | null): Promise<Cell[]> {
  const found = await read.bytes(id, { most: MOST_PAYLOAD_BYTES, longer: "length" });
  return found ? [...storedCell(found.payload, rules), ...storedCell(found.headers, rules)] : LEFT_TABLE;
}

function missingOf(partial: { index: string; skipped: boolean } | null): ExportPage<MessageRow>["missing"] {
  if (!partial?.skipped) return null;
  return `Not every row that may match was read. This makes the list complete: ${partial.index}`;
}
