import type { CatalogTable } from "../stores/port/catalog.ts";
import type { Lifecycle } from "../stores/port/mapping.ts";
import { defaultWordOf } from "./lifecycle/status-lifecycle.ts";
import { normalise } from "./vocabulary.ts";

export interface Shape {
  slug: string;
  title: string;
  confidence: "exact" | "likely";
  /** Status words that the layout is published with. */
  words?: readonly string[];
}

interface Layout {
  slug: string;
  title: string;
  /** Normalised columns that must all exist. */
  required: readonly string[];
  forbidden?: readonly string[];
  partitioned?: boolean;
  /** For a free-text status: the column default that identifies the layout's words. */
  defaultStatus?: string;
  words?: readonly string[];
}

/** Layouts published in tutorials; the first match names the shape. Listed in docs/shapes.md. */
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
    defaultStatus: "PENDING",
    words: ["PENDING", "PUBLISHED", "FAILED"],
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

/** The layout, or `generic` for a table recognised by its column names alone. */
export function shapeOf(table: CatalogTable, lifecycle: Lifecycle): Shape {
  const layout = LAYOUTS.find((candidate) => fits(candidate, table, lifecycle));
  if (layout) {
    const { slug, title, words } = layout;
    return { slug, title, confidence: "exact", ...(words ? { words } : {}) };
  }
  return { slug: "generic", title: "recognised by its column names", confidence: "likely" };
}

/** The column that marks published messages must be one of the layout's: an additional `status` may mean anything. */
function fits(layout: Layout, table: CatalogTable, lifecycle: Lifecycle): boolean {
  const names = new Set(table.columns.map((column) => normalise(column.name)));
  const teller = "column" in lifecycle ? lifecycle.column : undefined;
  return (
    layout.required.every((name) => names.has(name)) &&
    !layout.forbidden?.some((name) => names.has(name)) &&
    (layout.partitioned === undefined || layout.partitioned === table.partitioned) &&
    teller !== undefined &&
    layout.required.includes(normalise(teller.name)) &&
    (lifecycle.kind !== "status" || !lifecycle.guessed || hasDefault(table, teller.name, layout.defaultStatus))
  );
}

function hasDefault(table: CatalogTable, column: string, word: string | undefined): boolean {
  return word !== undefined && defaultWordOf(table, column) === word;
}
