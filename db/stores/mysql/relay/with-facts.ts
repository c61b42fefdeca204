import { errorNumber } from "../connection/database-error.ts";

/** An index that a statement names was dropped or renamed; nothing was done. */
const NO_SUCH_INDEX = 1176;

/** Runs `work`; if an index that it names is gone, once more after the table's facts were read again. */
export async function withFacts<T>(readFacts: () => Promise<void>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (errorNumber(error) !== NO_SUCH_INDEX) throw error;
    await readFacts();
    return work();
  }
}
