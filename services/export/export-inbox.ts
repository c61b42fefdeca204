import type { InboxExportQuery } from "#contracts/message/export.ts";
import type { InboxRow } from "#db/stores/port/inbox-reader.ts";
import { requireRole, type ServiceContext } from "../context.ts";
import { withPositions } from "../inboxes/positions.ts";
import type { OpenExport } from "./export-job.ts";
import { openExport } from "./open-export.ts";
import { recordExport } from "./record-export.ts";

const PAGE_ROWS = 200;

/** The rows of an inbox as a file, newest first, as `exportMessages` writes them. Throws the same. */
export async function exportInbox(input: {
  ctx: ServiceContext;
  inbox: string;
  query: InboxExportQuery;
}): Promise<OpenExport> {
  const { ctx, query } = input;
  requireRole(ctx, "viewer");
  const { name, mapping, store } = await ctx.runtime.inbox(input.inbox);
  const reader = store.inbox(name, mapping);
  const { format, columns, ...filter } = query;
  return openExport<InboxRow>(ctx.runtime, `${name}-${filter.state}`, {
    format,
    names: columns,
    page: async (cursor) => {
      const page = await reader.list({ filter, cursor, limit: PAGE_ROWS });
      return { ...page, rows: withPositions(mapping, page.rows), missing: null };
    },
    cells: (row) => columns.map((column) => row[column]),
    ...recordExport({ ctx, action: "inbox.export", outbox: null, inbox: name, query }),
  });
}
