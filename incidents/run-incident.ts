import type { Verdict } from "#contracts/watch/diagnosis.ts";
import { messageOf } from "#domain/errors.ts";
import { contains } from "./check/instants.ts";
import { disagreements, mismatches, unexpected, withoutFigures } from "./check/mismatches.ts";
import { lostEvents } from "./check/nothing-lost.ts";
import { pageProblems } from "./check/opened-page.ts";
import { type Reader, type Reading, sayingsOf } from "./check/reading.ts";
import type { Incident, Stage } from "./incident.ts";
import { Scene } from "./scene.ts";
import { Watch } from "./watch.ts";
import type { Banner } from "./world/banner.ts";
import type { Stack } from "./world/stack.ts";

interface StageResult {
  name: string;
  /** Seconds since the incident began; null if the right sentence did not appear. */
  seconds: number | null;
  sentence: string | null;
}

export interface IncidentResult {
  name: string;
  stages: StageResult[];
  problems: string[];
  readings: number;
  /** Longest response time of each surface, ms. */
  slowest: Record<string, number>;
  /** Why it was not run. */
  unavailable?: string;
}

const HEALTHY: Stage = { word: "delivering", status: "pass" };
const HEALTHY_WITHIN_SECONDS = 60;
const SENTENCE_WITHIN_SECONDS = 45;
const NEXT_READING_WITHIN_MS = 20_000;

/** Produces the incident, waits for each sentence, repairs it, and returns everything that was wrong. */
export async function runIncident(
  incident: Incident,
  { stack, reader, banner }: { stack: Stack; reader: Reader; banner: Banner | null },
): Promise<IncidentResult> {
  const [spec] = incident.outboxes;
  if (spec === undefined) throw new Error(`${incident.name} has no outbox.`);
  const scene = new Scene(stack, spec.name, spec.table);
  const watch = new Watch(reader, spec.name);
  const problems: string[] = [];
  const stages: StageResult[] = [];
  const attempt = async (what: string, act: () => Promise<unknown> | unknown) => {
    await Promise.resolve()
      .then(act)
      .catch((error: unknown) => problems.push(`${what}: ${describeError(error)}`));
  };
  try {
    await attempt("before", () => reachHealth(watch, scene, HEALTHY_WITHIN_SECONDS));
    await scene.begin();
    await attempt("produce", () => incident.produce(scene));
    const { never } = incident;
    watch.never = never ? (reading) => never(reading, scene) : null;
    for (const stage of incident.stages) {
      const name = stage.name ?? incident.name;
      await attempt(name, () => runStage({ stage, name, scene, watch, stages, banner }));
    }
    watch.never = null;
    await attempt("mend", () => incident.mend(scene));
    await attempt("after the mend", () =>
      reachHealth(watch, scene, incident.mendWithinSeconds ?? HEALTHY_WITHIN_SECONDS),
    );
    await scene.endTraffic();
    const lost = await lostEvents(scene);
    if (lost.length > 0)
      problems.push(`lost: ${lost.length} of ${scene.sent.size} events did not arrive, such as ${lost[0]}`);
  } finally {
    await watch.stop();
    await scene.close();
  }
  for (const { text, times } of watch.contradictions.values()) problems.push(`contradiction (${times}×): ${text}`);
  return { name: incident.name, stages, problems, readings: watch.readings, slowest: watch.slowest };
}

interface StageRun {
  stage: Stage;
  name: string;
  scene: Scene;
  watch: Watch;
  stages: StageResult[];
  banner: Banner | null;
}

async function runStage({ stage, name, scene, watch, stages, banner }: StageRun): Promise<void> {
  await stage.before?.(scene);
  const within = (stage.withinSeconds ?? SENTENCE_WITHIN_SECONDS) * 1000;
  const reading = await watch.until((one) => mismatches(one, stage, scene).length === 0, within);
  const seconds = reading && Math.max(0, (performance.now() - scene.beganMs) / 1000);
  const verdict = reading && sayingsOf(reading)[0]?.verdict;
  stages.push({ name, seconds, sentence: verdict ? `${verdict.title}: ${verdict.cause}` : null });
  if (reading === null) throw new Error(describeLast(watch.last, stage, scene, within));
  const about = verdict ? await linkedPageProblems(scene, verdict, watch) : [];
  if (verdict?.cause && banner && !stage.unreadable) about.push(...(await bannerProblems(banner, scene, watch)));
  if (stage.steadyReadings) await staysSo(watch, reading, stage, scene);
  await stage.proves?.(scene);
  if (about.length > 0) throw new Error(about.join("; "));
}

/** The cause may change while its page is read, so a problem counts only if the next reading confirms it. */
async function linkedPageProblems(scene: Scene, verdict: Verdict, watch: Watch): Promise<string[]> {
  const wrong = await pageProblems(scene, verdict);
  if (wrong.length === 0) return [];
  const next = await watch.until((reading) => sayingsOf(reading).length > 0, NEXT_READING_WITHIN_MS);
  const newer = next && sayingsOf(next)[0]?.verdict;
  return newer ? pageProblems(scene, newer) : wrong;
}

/** The page must agree with the API at that moment. */
async function bannerProblems(banner: Banner, { stack, outbox }: Scene, watch: Watch): Promise<string[]> {
  const said = () => {
    const { title, cause } = watch.last?.snapshot.body?.verdict ?? {};
    return cause ?? title ?? "";
  };
  // Compared once per text, because the verdict may have changed by the time the page is closed.
  let agreed = false;
  const text = await banner.sentence(stack.client.base, outbox, (shown) => {
    agreed = contains(withoutFigures(shown), withoutFigures(said()));
    return agreed;
  });
  return agreed ? [] : [`the banner says "${text}", and the verdict "${said()}"`];
}

/** Requires the same cause in consecutive readings. Each reading's surfaces are compared using the next reading. */
async function staysSo(watch: Watch, right: Reading, stage: Stage, scene: Scene): Promise<void> {
  const wanted = firstCause(right, stage);
  let [before, last] = [right, right];
  let seen = 0;
  let broken: string | null = null;
  await watch.until((reading) => {
    const wrong = [...unexpected(reading, stage, scene), ...disagreements(last, [before, reading])];
    const now = firstCause(reading, stage);
    if (wrong.length > 0) broken = `${once(wrong).join("; ")}\n      ${factsOf(reading)}`;
    else if (now !== wanted) broken = `"${wanted}" became "${now}"`;
    [before, last] = [last, reading];
    seen += 1;
    return broken !== null || seen > (stage.steadyReadings ?? 0);
  }, 120_000);
  if (broken !== null) throw new Error(`it did not last: after ${seen} readings ${broken}`);
  if (seen <= (stage.steadyReadings ?? 0)) throw new Error(`only ${seen} readings were possible`);
}

/** Identifies a cause: by its id, or by its words if they must not change or there is no id. */
function firstCause(reading: Reading, { sameWords }: Stage): string {
  const verdict = sayingsOf(reading)[0]?.verdict;
  const words = withoutFigures(verdict?.cause ?? "");
  const id = verdict?.causes[0]?.id;
  return id === undefined || sameWords ? words : id;
}

async function reachHealth(watch: Watch, scene: Scene, withinSeconds: number): Promise<void> {
  const within = withinSeconds * 1000;
  if (await watch.until((one) => mismatches(one, HEALTHY, scene).length === 0, within)) return;
  throw new Error(describeLast(watch.last, HEALTHY, scene, within));
}

function describeLast(last: Reading | null, stage: Stage, scene: Scene, withinMs: number): string {
  if (last === null) return `nothing was read in ${withinMs / 1000} s`;
  return `not within ${withinMs / 1000} s: ${once(mismatches(last, stage, scene)).join("; ")}\n      ${factsOf(last)}${logOf(last, scene)}`;
}

/** The reason of an internal error is only in the log. */
function logOf({ snapshot }: Reading, { stack }: Scene): string {
  return snapshot.code === 500 ? `\n      ${stack.output().slice(-2000)}` : "";
}

/** Statements shared by all surfaces are printed once. */
function once(texts: readonly string[]): string[] {
  return [...new Set(texts.map((text) => text.replace(/^(snapshot|outboxes|findings): /, "")))];
}

/** The last statement, on one line: the verdict of the first surface that has one, and health. */
function factsOf({ outbox, snapshot, list, health }: Reading): string {
  const verdict = snapshot.body?.verdict ?? list.body?.outboxes.find(({ name }) => name === outbox)?.verdict;
  const counts = Object.entries(snapshot.body?.counts ?? {}).filter(([, { value }]) => value > 0);
  return JSON.stringify({
    asOf: snapshot.body?.asOf,
    verdict,
    health: { code: health.code, status: health.body?.status, output: health.body?.output, error: health.error },
    counts: Object.fromEntries(counts.map(([state, { value }]) => [state, value])),
    oldestPending: snapshot.body?.oldestPending?.ageSeconds ?? null,
    relays: snapshot.body?.relays,
    error: snapshot.error,
  });
}

function describeError(error: unknown): string {
  return messageOf(error);
}
