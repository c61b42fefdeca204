import type { Series } from "#contracts/outbox/snapshot.ts";
import { SAMPLE_STEPS, SAMPLES_KEPT } from "#db/records/read-samples.ts";
import type { Records } from "#db/records/records.ts";
import { troubleOf } from "#db/stores/port/store-error.ts";
import { AppError, messageOf } from "#domain/errors.ts";
import { missingRecords } from "../ask-records.ts";
import type { Runtime } from "../runtime.ts";

const POINTS = 180;
const DEPLOYS_MARKED = 6;
const LONGEST_SECONDS = 31 * 86_400;
const MISSING = missingRecords("samples");
const NOTHING = { watchingSince: null, samples: [], marks: [] };

/**
 * Samples between two instants, in at most 180 steps; gaps stay gaps. `problem` says why there are none. Throws:
 * invalid_input; not_found.
 */
export async function readSeries(input: {
  runtime: Runtime;
  outbox: string;
  from?: string | undefined;
  to?: string | undefined;
  stepSeconds?: number | undefined;
}): Promise<Series> {
  const { runtime } = input;
  const { name } = await runtime.outbox(input.outbox);
  const to = input.to ? new Date(input.to) : new Date();
  const from = input.from ? new Date(input.from) : new Date(to.getTime() - 3_600_000);
  const seconds = (to.getTime() - from.getTime()) / 1000;
  if (!(seconds > 0) || seconds > LONGEST_SECONDS)
    throw new AppError("invalid_input", "`from` must be before `to`, at most 31 days apart.");
  const kept = SAMPLE_STEPS.find((step) => SAMPLES_KEPT[step] >= (Date.now() - from.getTime()) / 1000) ?? 3600;
  const wanted = Math.max(input.stepSeconds ?? 0, seconds / POINTS, kept);
  const stepSeconds = Math.ceil(wanted / kept) * kept;
  const { records, consoleGuard } = runtime;
  const range = { outbox: name, from: from.toISOString(), to: to.toISOString() };
  const asked = { ...range, kept, stepSeconds };
  if (!records || !consoleGuard) return { ...range, stepSeconds, ...NOTHING, problem: MISSING.noDatabase };
  try {
    return { ...range, stepSeconds, ...(await consoleGuard.ask(() => readKept(records, asked))), problem: null };
  } catch (error) {
    const problem = troubleOf(error) === "missing" ? MISSING.notMigrated : messageOf(error);
    return { ...range, stepSeconds, ...NOTHING, problem };
  }
}

type Kept = Pick<Series, "watchingSince" | "samples" | "marks">;

async function readKept(records: Records, asked: Parameters<Records["samples"]>[0]): Promise<Kept> {
  const [samples, watchingSince, findings, deploys] = await Promise.all([
    records.samples(asked),
    records.watchingSince(asked.outbox),
    records.marks(asked).catch(noneIfMissing),
    records.deploys({ ...asked, limit: DEPLOYS_MARKED }).catch(noneIfMissing),
  ]);
  const marks = [
    ...findings.map((mark) => ({ ...mark, kind: "finding" as const })),
    ...deploys.map(({ at, service, version }) => ({
      at,
      label: `deploy ${service} ${version}`,
      kind: "deploy" as const,
    })),
  ];
  return { samples, watchingSince, marks: marks.toSorted((one, other) => (one.at < other.at ? -1 : 1)) };
}

/** Tables of an older version have samples without marks. */
function noneIfMissing(error: unknown): [] {
  if (troubleOf(error) === "missing") return [];
  throw error;
}
