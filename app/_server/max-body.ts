import { MOST_EDITED_BYTES } from "#domain/message/correction.ts";

/** JSON writes a byte of text as at most six: a control character as `\u0001`. */
const MOST_PER_BYTE = 6;
/** Version, reason and field names. */
const REST_BYTES = 64 * 1024;

/**
 * The largest request is a corrected copy with payload and headers. It also holds 5,000 targets with ids of up to some
 * 500 characters.
 */
export const MAX_BODY_BYTES = 2 * MOST_EDITED_BYTES * MOST_PER_BYTE + REST_BYTES;
