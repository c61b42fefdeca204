/**
 * Relay deaths before quarantine. One can happen to any message of a killed relay; two justify publishing each alone.
 */
export const ORPHANED_TO_ISOLATE = 2;

/** Number of relay deaths, each with only this message in flight, after which the message is dead-lettered. */
export const CRASHES_TO_DEAD_LETTER = 3;
