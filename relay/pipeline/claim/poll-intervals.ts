/** Wait between two reads while messages arrive. */
export const BUSY_POLL_MS = 1;
/** Poll interval while idle, and the longest time before the claimer checks for any change. */
export const IDLE_POLL_MS = 250;
