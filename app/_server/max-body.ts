/** The largest request is 100 targets with long ids. */
export const MAX_BODY_BYTES = 1024 * 1024;
