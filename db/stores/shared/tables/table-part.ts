/** Rows of a state, judged by the table alone. */
export type TablePart = "waiting" | "failed" | "dead" | "unpublished" | "unknown" | "published" | "all";
