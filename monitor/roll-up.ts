import { SAMPLE_STEPS, SAMPLES_KEPT } from "#db/records/read-samples.ts";
import type { Records } from "#db/records/records.ts";

const HOUR = 3_600;
const FINDINGS_KEEP_DAYS = 30;
const ALERTS_KEEP_DAYS = 30;
/** Counted from the last action on the group. */
const GROUPS_KEEP_DAYS = 365;
const DEPLOYS_KEEP_DAYS = 90;
const DEPLOYS_KEEP_MOST = 5_000;
const BATCH = 2_000;
const MOST_BATCHES = 20;

/**
 * Rolls seconds up to minutes and minutes to hours, then deletes samples, findings, alerts, deploys and records of
 * failure groups past their retention. Safe to run at any time.
 */
export class RollUp {
  readonly #records: Records;

  constructor(options: { records: Records }) {
    this.#records = options.records;
  }

  async runOnce(): Promise<void> {
    const records = this.#records;
    await records.rollUpSamples({ fineSeconds: 5, coarseSeconds: 60, keepSeconds: SAMPLES_KEPT[5] });
    await records.rollUpSamples({ fineSeconds: 60, coarseSeconds: HOUR, keepSeconds: SAMPLES_KEPT[60] });
    for (const stepSeconds of SAMPLE_STEPS) {
      const keepSeconds = SAMPLES_KEPT[stepSeconds];
      await inBatches(() => records.deleteOldSamples({ stepSeconds, keepSeconds, batch: BATCH }));
    }
    await inBatches(() => records.deleteOldFindings(FINDINGS_KEEP_DAYS, BATCH));
    await records.deleteOldAlerts(ALERTS_KEEP_DAYS);
    await records.deleteOldGroups(GROUPS_KEEP_DAYS);
    await records.deleteOldDeploys(DEPLOYS_KEEP_DAYS, DEPLOYS_KEEP_MOST);
  }
}

/** Small transactions, one after another, until little is left or the limit of one run is reached. */
async function inBatches(deleteSome: () => Promise<number>): Promise<void> {
  for (let batch = 0; batch < MOST_BATCHES; batch += 1) {
    if ((await deleteSome()) < BATCH) return;
  }
}
