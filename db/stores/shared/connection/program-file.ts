import { join } from "node:path";

/**
 * A file that comes with the program, such as a migration. The installed package runs in the user's folder, and says
 * where it is; a checkout runs in its own.
 */
export function programFile(path: string): string {
  return join(/* turbopackIgnore: true */ process.env.OUTBOX_PROGRAM_DIR || ".", path);
}
