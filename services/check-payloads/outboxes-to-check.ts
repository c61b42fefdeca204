import { ConfigError } from "#domain/errors.ts";
import type { OutboxHandle, Tables } from "../runtime.ts";

export interface ToCheck {
  outboxes: OutboxHandle[];
  /** Why further outboxes, or whole stores, cannot be read now. */
  missed: string[];
}

/**
 * The outboxes whose messages are to be judged: all, or the one called `only`. Throws ConfigError if there is nothing
 * to judge, because a check that looked at nothing must not pass.
 */
export function outboxesToCheck(tables: Tables, only?: string): ToCheck {
  const isMeant = ({ name }: { name: string }) => only === undefined || name === only;
  const outboxes = tables.outboxes.filter(isMeant);
  const problems = tables.problems.map(({ message }) => message);
  const absent = tables.absent
    .filter((table) => table.kind === "outbox" && isMeant(table))
    // A table that is not there has a problem already, and all tables of a store that is silent.
    .filter(({ message }) => !problems.some((problem) => message.includes(problem)))
    .map(({ name, message }) => `Outbox ${name}: ${message}`);
  const missed = [...problems, ...absent];
  if (outboxes.length > 0) return { outboxes, missed };
  throw new ConfigError([nothingToCheck(tables, only), ...missed]);
}

function nothingToCheck({ outboxes, candidates, looked, problems }: Tables, only: string | undefined): string {
  const names = outboxes.map(({ name }) => name).join(", ");
  if (names !== "") return `No outbox is called ${only}. There are: ${names}.`;
  const what = only === undefined ? "There is no outbox, so nothing was checked" : `No outbox is called ${only}`;
  const silent = new Set(problems.filter(({ name }) => name === null).map(({ store }) => store));
  const read = looked
    .filter(({ store }) => !silent.has(store))
    .map(({ store, tables }) => `${store} (${tables.length} tables)`)
    .join(", ");
  const where = read === "" ? "no database was read" : `no table of ${read} is known as one`;
  const perhaps = candidates.map(({ table: { schema, name } }) => `${schema}.${name}`).join(", ");
  const advice = "Name the database in outbox.yaml or DATABASE_URL, and the table under outboxes.";
  return `${what}: ${where}${perhaps === "" ? "" : `, and these may be: ${perhaps}`}. ${advice}`;
}
