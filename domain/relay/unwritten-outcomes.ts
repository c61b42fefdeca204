/** Begins a relay's last error when the store refuses a claim or the lease; the reason follows. */
export const NOTHING_CLAIMED = "Nothing can be claimed: ";
/** Begins a relay's last error when the store refuses to record what the sink has confirmed; the reason follows. */
export const OUTCOMES_UNWRITTEN = "Outcomes could not be written: ";
/** The reason where a lock stands in the way, not a refusal. */
export const ROWS_LOCKED = "another session holds a lock that they need, on their rows or in a trigger of the table";
/**
 * Begins the reason where the connection was lost or cannot be made, or no answer came in time: nothing was refused.
 */
export const STORE_SILENT = "the store does not answer";
/** Ends a relay's last error where a settle has no answer yet, so that nothing is known but that. */
export const NOT_YET_WRITTEN = "the database has not answered yet; another session may hold their rows";
