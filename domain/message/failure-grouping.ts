/**
 * What failures of one group have in common: a normalised error text with its code and type, an error code, or a type.
 */
export const FAILURE_GROUPINGS = ["text", "code", "type"] as const;
export type FailureGrouping = (typeof FAILURE_GROUPINGS)[number];
