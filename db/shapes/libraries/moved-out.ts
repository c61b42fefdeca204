/** Dead-letters a row where its library has no way to say dead. */
export const MOVED_OUT = {
  moveOut: true,
  does: "Moved to the dead letters, where the library does not see it.",
} as const;
