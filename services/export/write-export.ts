import { toAppError } from "#domain/errors.ts";
import { formatCount } from "#domain/format.ts";
import { csvLine } from "./csv-line.ts";
import type { ExportEnd, ExportJob, ExportPage } from "./export-job.ts";
import { ndjsonLine } from "./ndjson-line.ts";

/** Characters that are sent together. */
const CHUNK = 64_000;
const LEFT = "The reader left before the end.";

/**
 * The text of an export, one page in memory at a time; the next is read when the consumer asks for it. NDJSON always
 * ends with a line `{"export": …}` that states whether it is complete; CSV that is cut ends with a line that begins
 * with `# cut`. An error of the first page is thrown before the first chunk; an error that cuts the export, after the
 * last line.
 */
export async function* writeExport<Row>(job: ExportJob<Row>): AsyncGenerator<string, void> {
  const first = await job.page(undefined);
  await job.begun();
  const end: ExportEnd = { rows: 0, cut: LEFT, from: first.asOf, to: first.asOf };
  let failure: unknown;
  try {
    if (job.format === "csv") yield csvLine(job.names);
    end.cut = yield* writePages(job, first, end);
  } catch (error) {
    failure = error;
    end.cut = `${toAppError(error).message} The rows after these are missing.`;
  } finally {
    await job.ended(end);
  }
  yield lastLine(job, end);
  if (failure !== undefined) throw failure;
}

/** Returns why rows are missing; null if none is. Counts in `end` what was taken. */
async function* writePages<Row>(job: ExportJob<Row>, first: ExportPage<Row>, end: ExportEnd) {
  const untilMs = performance.now() + job.limits.ms;
  let missing: string | null = null;
  let page = first;
  for (;;) {
    missing ??= page.missing;
    end.to = page.asOf;
    yield* writeRows(job, page, end);
    if (page.nextCursor === null) return missing;
    if (end.rows >= job.limits.rows) return `An export has at most ${formatCount(job.limits.rows)} rows.`;
    if (performance.now() > untilMs) return `An export takes at most ${job.limits.ms / 60_000} minutes.`;
    page = await job.page(page.nextCursor);
  }
}

async function* writeRows<Row>(job: ExportJob<Row>, page: ExportPage<Row>, end: ExportEnd) {
  let text = "";
  let lines = 0;
  for (const row of page.rows) {
    const cells = await job.cells(row);
    text += job.format === "csv" ? csvLine(cells) : ndjsonLine(job.names, cells);
    lines += 1;
    if (text.length < CHUNK) continue;
    yield text;
    end.rows += lines;
    [text, lines] = ["", 0];
  }
  if (lines > 0) yield text;
  end.rows += lines;
}

function lastLine<Row>({ format }: ExportJob<Row>, { rows, cut, from, to }: ExportEnd): string {
  if (format === "ndjson")
    return `${JSON.stringify({ export: { complete: cut === null, rows, cut, readFrom: from, readTo: to } })}\n`;
  return cut === null ? "" : csvLine([`# cut after ${rows} rows: ${cut}`]);
}
