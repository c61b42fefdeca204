import { AppError } from "#domain/errors.ts";
import { perConsole } from "../per-runtime.ts";
import type { Runtime } from "../runtime.ts";
import type { ExportJob, OpenExport } from "./export-job.ts";
import { writeExport } from "./write-export.ts";

/** Exports that one console writes at a time: each takes a connection for every page. */
const MOST_RUNNING = 4;
const LIMITS = { rows: 1_000_000, ms: 3_600_000 };

const running = perConsole(() => ({ exports: 0 }));

/** Reads the first page. Throws what that throws, and too_many_requests. */
export async function openExport<Row>(
  runtime: Runtime,
  name: string,
  work: Omit<ExportJob<Row>, "limits">,
): Promise<OpenExport> {
  const count = running(runtime);
  if (count.exports >= MOST_RUNNING)
    throw new AppError("too_many_requests", `${MOST_RUNNING} exports are running; wait until one has ended.`);
  count.exports += 1;
  const release = () => {
    count.exports -= 1;
  };
  const ended: ExportJob<Row>["ended"] = (end) => work.ended(end).finally(release);
  const chunks = writeExport({ ...work, limits: LIMITS, ended });
  let first: IteratorResult<string, void> | null = await chunks.next().catch((error: unknown) => {
    release();
    throw error;
  });
  const next = async () => {
    const chunk = first ?? (await chunks.next());
    first = null;
    return chunk;
  };
  return {
    fileName: fileNameOf(name, work.format),
    contentType: work.format === "csv" ? "text/csv; charset=utf-8; header=present" : "application/x-ndjson",
    chunks: { next, return: () => chunks.return() },
  };
}

/** `orders-dead-20261123T031500Z.csv` */
function fileNameOf(name: string, format: string): string {
  const at = new Date().toISOString().replace(/\.\d+/, "").replace(/[-:]/g, "");
  return `${name.replace(/[^\w.-]+/g, "_").slice(0, 80)}-${at}.${format}`;
}
