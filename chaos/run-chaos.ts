import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { comeToRest } from "./come-to-rest.ts";
import { openEventLog } from "./event-log.ts";
import { retryDead } from "./faults/operators.ts";
import { runSchedule } from "./faults/run-schedule.ts";
import type { Finding } from "./judge/evidence.ts";
import { gatherEvidence } from "./judge/gather-evidence.ts";
import { judge } from "./judge/judge.ts";
import { explainableShare } from "./judge/judge-duplicates.ts";
import type { ChaosOptions } from "./options.ts";
import { generateSchedule, type Step } from "./schedule.ts";
import { watchForStalls } from "./watch-for-stalls.ts";
import { startWorkload } from "./workload/workload.ts";
import { startAllRelays } from "./world/start-all-relays.ts";
import { openWorld } from "./world/world.ts";

export interface ChaosResult extends Finding {
  seed: number;
  schedule: Step[];
  /** Number of faults injected, by kind. */
  done: Record<string, number>;
  /** Folder with the event log and all processes' logs; null when no rule was broken. */
  folder: string | null;
}

/** One run: writes and injects faults, heals, lets the table drain, and judges the sink and the tables. */
export async function runChaos(options: ChaosOptions, schedule = generateSchedule(options)): Promise<ChaosResult> {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), `outbox-chaos-${options.seed}-`)));
  const log = openEventLog(folder);
  const world = await openWorld(options, folder, log);
  const stalls = watchForStalls(log);
  try {
    await startAllRelays(world);
    const workload = startWorkload({ options, store: world.store, log });
    const { deadInTable } = world.store;
    const late = deadInTable?.commitLate(options.chaosMs);
    const over = new AbortController();
    const retrying = deadInTable ? retryDead(world, over.signal) : undefined;
    const done = await runSchedule(world, schedule).finally(() => {
      over.abort();
      return workload.stop();
    });
    await Promise.all([late, retrying]);
    const chaosEndedMs = log.nowMs();
    const rest = await comeToRest(world);
    const finding = judge(await gatherEvidence(world, workload.counts.committed));
    const violations = [...rest.violations, ...finding.violations];
    log.note("judged", { violations });
    const seen = {
      ...finding.seen,
      ...rest.seen,
      "rolled back transactions": workload.counts.rolledBack,
      "broken transactions": workload.counts.broken,
      "relay processes": world.fleet.started,
      "percent of the time near a fault": Math.round(100 * explainableShare(log.faults, options.relays, chaosEndedMs)),
    };
    const failed = violations.length > 0;
    return {
      seed: options.seed,
      schedule,
      done: Object.fromEntries(done),
      violations,
      seen,
      folder: failed ? folder : null,
    };
  } finally {
    stalls.stop();
    await world.close();
    await log.close();
  }
}

/** Removes the logs of a run without findings. */
export async function forgetFolder(result: ChaosResult, folder: string): Promise<void> {
  if (result.folder === null) await rm(folder, { recursive: true, force: true });
}
