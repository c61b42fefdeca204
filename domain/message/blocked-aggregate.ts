/**
 * What keeps the later messages of an aggregate waiting: its head failed and is tried again; the relay holds it behind
 * a dead message; its head was in flight when relays died; a person paused it.
 */
export const BLOCK_KINDS = ["failing", "held", "suspect", "paused"] as const;
export type BlockKind = (typeof BLOCK_KINDS)[number];

/** Waiting messages are counted up to here. */
export const MOST_COUNTED_BEHIND = 10_000;
