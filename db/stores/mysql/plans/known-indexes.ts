import { errorNumber } from "../connection/database-error.ts";
import { forgetReadings, type Mapped } from "./table-access.ts";

/** The error of a statement that names an index which does not exist. */
const NO_SUCH_INDEX = 1176;

/** Runs reads that name indexes. Once one of them has been dropped, they look for another way and run again. */
export async function withKnownIndexes<T>(of: Mapped, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (errorNumber(error) !== NO_SUCH_INDEX) throw error;
    forgetReadings(of);
    return work();
  }
}
