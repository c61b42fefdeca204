import type { ExportFormat } from "#contracts/message/export.ts";
import type { Cell } from "./cell.ts";

export interface ExportPage<Row> {
  rows: readonly Row[];
  nextCursor: string | null;
  /** Sentence: why this page and no later one has all of its rows; null if none is missing. */
  missing: string | null;
  asOf: string;
}

/** How an export ended. `cut`: sentence, why it is not whole; null if it is. */
export interface ExportEnd {
  rows: number;
  cut: string | null;
  /** Database times of the first and the last page. */
  from: string;
  to: string;
}

/** What is exported, page by page, with callbacks for its start and its end. */
export interface ExportJob<Row> {
  format: ExportFormat;
  names: readonly string[];
  page(cursor: string | undefined): Promise<ExportPage<Row>>;
  cells(row: Row): Cell[] | Promise<Cell[]>;
  /** Called before the first row leaves; an export that cannot be recorded does not begin. */
  begun(): Promise<void>;
  /** Called once, whatever happened. */
  ended(end: ExportEnd): Promise<void>;
  limits: { rows: number; ms: number };
}

/** A file that is being written. Its first lines are read already. */
export interface OpenExport {
  fileName: string;
  contentType: string;
  /**
   * Chunks of text. `next` throws after the line that says that the export is cut, so that the transfer fails too.
   * `return` must be called if the rest is not wanted.
   */
  chunks: Pick<AsyncGenerator<string, void>, "next" | "return">;
}
