/** Begins the last error of a relay that waits because something else has just marked rows of its table. */
export const WAITS_FOR_FOREIGN = "Something else marked";
/** The same of a relay of version 0.1. */
export const WAITED_FOR_FOREIGN = "Another relay published";
/** Begins the last error of a relay that publishes while something else marks rows too. It is of no attempt. */
export const SEES_FOREIGN = "Something else marks";
