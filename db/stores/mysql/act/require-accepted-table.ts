import { sql } from "drizzle-orm";
import { AppError } from "#domain/errors.ts";
import { ourCommand } from "#domain/text/our-command.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import type { Session } from "../connection/session.ts";
import { mappingHolds, stillAccepted } from "../tables/mapping-holds.ts";

/** The check reads the table, which keeps every change of its columns out until the commit. Throws wrong_state. */
export async function requireAcceptedTable(session: Session, { accepted, name }: OutboxRef): Promise<void> {
  if (!accepted) return;
  const still = stillAccepted(session.own, name, accepted);
  const [row] = await session.rows(sql`SELECT ${mappingHolds(accepted)} AND ${still}`);
  if (row?.[0] === "1") return;
  throw new AppError(
    "wrong_state",
    `The table of outbox ${name} no longer fits the mapping that was accepted: nothing was changed. \`${ourCommand("doctor")}\` says what is different.`,
  );
}
