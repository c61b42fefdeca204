import { TooDeep, Unreadable } from "./layer.ts";

/** The result of a reader; undefined if the content is not of its format. Throws: TooDeep. */
export function attempt<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Unreadable) || error instanceof TooDeep) throw error;
    return undefined;
  }
}
