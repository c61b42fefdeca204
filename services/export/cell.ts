/** One value of an exported row. `json`: JSON text that is written as it is stored. */
export type Cell = string | number | boolean | null | { json: string };
