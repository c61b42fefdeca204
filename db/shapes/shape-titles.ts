import type { CatalogTable } from "../catalog/read-catalog.ts";
import type { ColumnRole, Lifecycle, MappedColumn } from "../outbox/mapping.ts";
import { normalise } from "./vocabulary.ts";

export interface Shape {
  slug: string;
  title: string;
  confidence: "exact" | "likely";
  question: string | null;
}

interface Layout {
  slug: string;
  title: string;
  /** Normalised columns that must all be there. */
  required: readonly string[];
  forbidden?: readonly string[];
  partitioned?: boolean;
}

/** Layouts that tutorials hand out; the first that fits names the shape. docs/shapes.md lists them. */
const LAYOUTS: readonly Layout[] = [
  {
    slug: "tutorial-outbox-events",
    title: "outbox_events with dispatched_at",
    required: ["id", "aggregateid", "eventtype", "payload", "occurredat", "dispatchedat"],
  },
  {
    slug: "tutorial-events-outbox",
    title: "events_outbox with a serial id",
    required: ["id", "aggregateid", "type", "payload", "createdat", "dispatchedat"],
  },
  {
    slug: "tutorial-status-text-time",
    title: "outbox with status and text times",
    required: [
      "outboxid",
      "eventtype",
      "aggregateid",
      "aggregatetype",
      "operation",
      "payload",
      "createdat",
      "publishedat",
      "status",
    ],
  },
  {
    slug: "tutorial-outbox-partitioned",
    title: "partitioned outbox with published_at",
    required: ["id", "aggregatetype", "aggregateid", "eventtype", "payload", "createdat", "publishedat"],
    forbidden: ["status"],
    partitioned: true,
  },
  {
    slug: "tutorial-outbox",
    title: "outbox with published_at",
    required: ["id", "aggregatetype", "aggregateid", "eventtype", "payload", "createdat", "publishedat"],
    forbidden: ["status"],
  },
];

/** Names the layout, or says that the table was read by its column names alone. */
export function shapeOf(
  table: CatalogTable,
  columns: Partial<Record<ColumnRole, MappedColumn>>,
  lifecycle: Lifecycle,
): Shape {
  const names = new Set(table.columns.map((column) => normalise(column.name)));
  const layout = LAYOUTS.find(
    (candidate) =>
      candidate.required.every((name) => names.has(name)) &&
      !candidate.forbidden?.some((name) => names.has(name)) &&
      (candidate.partitioned === undefined || candidate.partitioned === table.partitioned),
  );
  if (layout) return { slug: layout.slug, title: layout.title, confidence: "exact", question: null };
  return {
    slug: "generic",
    title: "read by its column names",
    confidence: "likely",
    question: questionOf(columns, lifecycle),
  };
}

function questionOf(columns: Partial<Record<ColumnRole, MappedColumn>>, lifecycle: Lifecycle): string {
  if (lifecycle.kind === "delete") return "Does the relay of this table delete a row once it is published?";
  const column = lifecycle.kind === "log" ? columns.id : lifecycle.column;
  return `Is ${column?.name ?? "this column"} really what says that a message was published?`;
}
