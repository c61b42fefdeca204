"use client";

import { IconDownload } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { apiGet, buildPath } from "#components/api/api-client.ts";
import { outboxPath, sessionQuery } from "#components/api/queries.ts";
import { curlCommand } from "#components/copy/curl-command.ts";
import { copyMessage } from "#components/copy/message-copies.ts";
import type { MessageFilters } from "#components/filters/message-filters.ts";
import { MenuButton } from "#components/ui/controls/menu-button.tsx";
import type { MenuEntry } from "#components/ui/controls/menu-dropdown.tsx";
import { figurePlural } from "#components/ui/format/format-figure.ts";
import { toast } from "#components/ui/notices/toast.ts";
import { Kbd } from "#components/ui/values/kbd.tsx";
import { withBasePath } from "#contracts/base-path.ts";
import type { Figure } from "#contracts/common.ts";
import type { ExportFormat } from "#contracts/message/export.ts";
import { messageListSchema } from "#contracts/message/messages.ts";
import { messageOf } from "#domain/errors.ts";
import { exportedColumns, type ListColumn } from "./list-columns.ts";
import css from "./tool.module.css";

interface ExportMenuProps {
  outbox: string;
  filters: MessageFilters;
  columns: readonly ListColumn[];
  matching: Figure | undefined;
}

const FORMATS: readonly { label: string; format: ExportFormat; payload: boolean }[] = [
  { label: "CSV", format: "csv", payload: false },
  { label: "NDJSON", format: "ndjson", payload: false },
  { label: "CSV with payloads", format: "csv", payload: true },
  { label: "NDJSON with payloads", format: "ndjson", payload: true },
];

/** Downloads every message that matches, in the columns shown, and copies the view as a link or as curl. */
export function ExportMenu(props: ExportMenuProps) {
  const { matching } = props;
  const { data: session } = useQuery(sessionQuery());
  const count =
    matching === undefined || matching.precision === "unknown" ? "" : `: ${figurePlural(matching, "message")}`;
  const link = { label: "link", text: () => linkOf(props) };
  const curl = {
    label: "curl",
    text: () => curlCommand({ flags: "-sSf", path: exportPath(props), mode: session?.mode }),
  };
  const entries: MenuEntry[] = [
    ...FORMATS.map(({ label, format, payload }) => ({
      label,
      onSelect: () => void download(exportPath(props, format, payload), () => readFirst(props)),
    })),
    { label: "Copy as link", right: <Kbd>c</Kbd>, divided: true, onSelect: () => void copyMessage(link) },
    { label: "Copy as curl", onSelect: () => void copyMessage(curl) },
  ];
  return (
    <span className={css.anchor} data-press="export">
      <MenuButton
        className={css.tool}
        label="Export"
        heading={`Export all that match${count}`}
        entries={entries}
        position="bottom-end"
        width={250}
      >
        <IconDownload size={14} aria-hidden />
        <span>Export</span>
      </MenuButton>
    </span>
  );
}

/** Address of this view, with its columns, without the page and the open message. */
export function linkOf({ columns }: Pick<ExportMenuProps, "columns">): string {
  const url = new URL(window.location.href);
  for (const name of ["message", "cursor", "at"]) url.searchParams.delete(name);
  url.searchParams.set("columns", columns.join(","));
  return url.toString();
}

function exportPath({ outbox, filters, columns }: ExportMenuProps, format: ExportFormat = "ndjson", payload = false) {
  return buildPath(outboxPath(outbox, "/messages/export"), {
    state: filters.state,
    ...filters.fields,
    format,
    columns: exportedColumns(columns).join(","),
    payload: payload ? 1 : undefined,
  });
}

/** One message of what would be exported. */
function readFirst({ outbox, filters }: ExportMenuProps): Promise<unknown> {
  const params = { state: filters.state, ...filters.fields, limit: 1, count: 0 };
  return apiGet(messageListSchema, outboxPath(outbox, "/messages"), params);
}

/**
 * The browser writes the file while it arrives; of a refusal it would say only that there is no file. `check` reads what
 * is refused for the same reasons.
 */
export async function download(path: string, check: () => Promise<unknown>): Promise<void> {
  try {
    await check();
  } catch (error) {
    toast.failed({ message: `Nothing was exported. ${messageOf(error)}` });
    return;
  }
  const link = document.createElement("a");
  link.href = withBasePath(path);
  link.download = "";
  document.body.append(link);
  link.click();
  link.remove();
}
