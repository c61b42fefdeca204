import { problemOfStoreUrl } from "#db/stores/open-store.ts";
import { isAppError } from "#domain/errors.ts";
import { checkServer } from "./database/mysql/own-database.ts";

/**
 * Exits with 1 and a sentence if the demo cannot use the MySQL or MariaDB server of DEMO_DATABASE_URL, which `npm
 * start` derives from MYSQL_URL. Changes nothing.
 */
const url = process.env.DEMO_DATABASE_URL ?? "";
const problem = problemOfStoreUrl("mysql", url);
if (problem !== null) stop(`MYSQL_URL cannot be used: ${problem}.`);
else {
  await checkServer(url).catch((error: unknown) => {
    if (!isAppError(error)) throw error;
    stop(error.message);
  });
}

function stop(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
}
