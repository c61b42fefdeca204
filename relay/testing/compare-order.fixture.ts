import type { CompareOrder } from "#db/stores/port/relay/outgoing-message.ts";

/** Compares positions by the number in the order column. */
export const compareOrder: CompareOrder = (left, right) => Number(left[0]) - Number(right[0]);
