import { setTimeout as delay } from "node:timers/promises";
import { CandidateProcess } from "./candidate-process.ts";
import { CANDIDATES, type Candidate, type Runnable } from "./contenders/open-contender.ts";
import { judgeSoak, type SufferedFault, type Verdict } from "./judge-soak.ts";
import type { SoakOptions } from "./options.ts";
import type { CandidateReport } from "./runner-protocol.ts";
import { generateSoakSchedule, type SoakStep } from "./soak-schedule.ts";
import { SoakWorld, topicOf } from "./soak-world.ts";

/** Beyond the sink's own limits: a busy machine. */
const MARGIN_MS = 5000;
/** Time to catch up after the last call has ended, ms. */
const CATCH_UP_MS = 60_000;

export interface CandidateResult {
  /** Why there is no report; null when there is one. */
  silent: string | null;
  report: CandidateReport | null;
  verdict: Verdict | null;
}

export interface SoakResult {
  brokerVersion: string | null;
  faults: SufferedFault[];
  /** CPU time per message without any client, µs. */
  harnessMicros: number;
  candidates: Record<Candidate, CandidateResult>;
  /** Faults of our sink, as sentences; the library's faults are only counted. */
  violations: string[];
}

/**
 * Longest time until a call must have its outcomes, ms: connecting, an answer that does not come, and as long again in
 * which a message that may have arrived is sent once more.
 */
function callLimitMs({ timeoutMs, connectTimeoutMs }: Pick<SoakOptions, "timeoutMs" | "connectTimeoutMs">) {
  return connectTimeoutMs + 2 * timeoutMs + MARGIN_MS;
}

/** @throws BrokerUnavailable */
export async function runSoak(options: SoakOptions): Promise<SoakResult> {
  const world = await SoakWorld.open(options);
  const processes: Partial<Record<Candidate, CandidateProcess>> = {};
  try {
    const harnessMicros = await measureHarness(options);
    for (const candidate of CANDIDATES) processes[candidate] = start(candidate, options, world.portOf(candidate));
    const started = processes as Record<Candidate, CandidateProcess>;
    const all = Object.values(started);
    await Promise.all(all.map((each) => each.ready()));
    for (const each of all) each.begin();
    const faults = await sufferAll(world, options);
    options.say("all faults are over; waiting until everything is published");
    const within = callLimitMs(options) + CATCH_UP_MS;
    const [ours, library] = await Promise.all(CANDIDATES.map((candidate) => started[candidate].finish(within)));
    const candidates = {
      ours: await judge(world, "ours", ours ?? "it did not run", faults),
      library: await judge(world, "library", library ?? "it did not run", faults),
    };
    return {
      brokerVersion: world.version,
      faults,
      harnessMicros,
      candidates,
      violations: violationsOf(candidates.ours),
    };
  } finally {
    await Promise.all(Object.values(processes).map((each) => each.end()));
    await world.close();
  }
}

/** Runs the lanes with a client that does nothing. */
async function measureHarness(options: SoakOptions): Promise<number> {
  const running = start("nothing", options, 0);
  try {
    await running.ready();
    running.begin();
    await delay(options.harnessMs);
    const report = await running.finish(CATCH_UP_MS);
    return typeof report === "string" ? Number.NaN : report.cpuMicros / Math.max(1, report.due);
  } finally {
    await running.end();
  }
}

function start(candidate: Runnable, options: SoakOptions, port: number): CandidateProcess {
  const { sink, lanes, rate, run, timeoutMs, connectTimeoutMs } = options;
  return new CandidateProcess({
    ...{ candidate, sink, lanes, rate, run, timeoutMs, connectTimeoutMs },
    port,
    topic: topicOf(candidate),
    callLimitMs: callLimitMs(options),
  });
}

async function sufferAll(world: SoakWorld, options: SoakOptions): Promise<SufferedFault[]> {
  const faults: SufferedFault[] = [];
  const beganMs = Date.now();
  for (const step of generateSoakSchedule(options)) {
    if (Date.now() - beganMs > options.chaosMs) break;
    await delay(step.afterMs);
    faults.push(await sufferOne(world, step));
    const { kind, fromMs, toMs } = faults.at(-1) as SufferedFault;
    options.say(`${Math.round((fromMs - beganMs) / 1000)} s: ${kind}, ${Math.round(toMs - fromMs)} ms`);
  }
  // Calm after the last one, too.
  await delay(options.calmMs[1]);
  return faults;
}

async function sufferOne(world: SoakWorld, step: SoakStep): Promise<SufferedFault> {
  const fromMs = Date.now();
  await world.suffer(step);
  return { kind: step.kind, fromMs, toMs: Date.now() };
}

async function judge(
  world: SoakWorld,
  candidate: Candidate,
  report: CandidateReport | string,
  faults: SufferedFault[],
): Promise<CandidateResult> {
  if (typeof report === "string") return { silent: report, report: null, verdict: null };
  const { confirmedAtMs } = report;
  const received = await world.read(candidate, confirmedAtMs.length);
  return { silent: null, report, verdict: judgeSoak({ confirmedAtMs, received, faults }) };
}

function violationsOf({ silent, report, verdict }: CandidateResult): string[] {
  if (report === null || verdict === null) return [`our sink gave no report: ${silent}`];
  return [
    ...(report.broke === null ? [] : [`our sink threw outside of any call: ${report.broke}`]),
    ...(verdict.lost === 0 ? [] : [`our sink lost ${verdict.lost} confirmed messages`]),
    ...(verdict.inversions === 0 ? [] : [`our sink inverted ${verdict.inversions} messages`]),
    ...(report.late === 0 ? [] : [`${report.late} calls of our sink had no outcome in time`]),
    ...(verdict.published === report.due
      ? []
      : [`our sink left ${report.due - verdict.published} messages unpublished`]),
  ];
}
