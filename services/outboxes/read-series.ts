import type { Series } from "#contracts/outbox/snapshot.ts";
import { SAMPLE_STEPS, SAMPLES_KEPT } from "#db/records/read-samples.ts";
import { AppError } from "#domain/errors.ts";
import type { Runtime } from "../runtime.ts";

const POINTS = 180;
const DEPLOYS_MARKED = 6;
const LONGEST_SECONDS = 31 * 86_400;

/** Samples between two instants, in at most 180 steps; gaps stay gaps. Throws: invalid_input; not_found. */
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
  const { records } = runtime;
  const range = { outbox: name, from: from.toISOString(), to: to.toISOString() };
  if (!records) return { ...range, stepSeconds, watchingSince: null, samples: [], marks: [] };
  // Without the console side there is no history: an empty chart, not an error.
  const samples = await records.samples({ ...range, kept, stepSeconds }).catch(() => []);
  const since = await records.watchingSince(name).catch(() => null);
  const findings = await records.marks(range).catch(() => []);
  const deploys = await records.deploys({ ...range, limit: DEPLOYS_MARKED }).catch(() => []);
  const marks = [
    ...findings.map((mark) => ({ ...mark, kind: "finding" as const })),
    ...deploys.map(({ at, service, version }) => ({
      at,
      label: `deploy ${service} ${version}`,
      kind: "deploy" as const,
    })),
  ].toSorted((one, other) => (one.at < other.at ? -1 : 1));
  return { ...range, stepSeconds, watchingSince: since, samples, marks };
}
