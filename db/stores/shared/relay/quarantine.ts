/** Relay deaths before quarantine. One can happen to any message of a killed relay; two justify publishing each alone. */
export const ORPHANED_TO_ISOLATE = 2;
