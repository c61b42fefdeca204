import { LeaseLostError } from "./relay/lease.ts";

/** The table is not the one that the mapping was accepted for. It ends the term like a lost lease: nothing is claimed or marked. */
export class TableChangedError extends LeaseLostError {
  constructor(outbox: string, options?: { cause: unknown }) {
    super(`The table of outbox ${outbox} no longer fits its mapping: the relay stops until it does.`, options);
  }
}
