import type { World } from "../world/world.ts";
import type { Evidence } from "./evidence.ts";

/** Reads the tables and the sink after everything has come to rest. */
export async function gatherEvidence(world: World, acknowledged: number): Promise<Evidence> {
  const { store, recorder, log, touched, options } = world;
  return {
    ...(await store.evidence()),
    acknowledged,
    receipts: await recorder.receipts(),
    source: options.source,
    faults: log.faults,
    touched,
    rejected: recorder.rejected,
  };
}
