/** While messages arrive. */
export const BUSY_POLL_MS = 2;
/** While nothing does; also the longest that a claimer stays away from what may have changed. */
export const IDLE_POLL_MS = 250;
