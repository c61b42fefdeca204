import { LeaseLostError } from "./relay/lease.ts";

/**
 * The table no longer fits the accepted mapping. Ends the term like a lost lease: nothing more is claimed or marked.
 */
export class TableChangedError extends LeaseLostError {
  constructor(outbox: string, options?: { cause: unknown }) {
    super(`The table of outbox ${outbox} no longer fits its mapping: the relay stops until it does.`, options);
  }
}
