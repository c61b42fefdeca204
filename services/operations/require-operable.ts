import { AppError } from "#domain/errors.ts";
import { ourCommand } from "#domain/text/our-command.ts";
import { requireKey } from "../messages/list-messages.ts";
import { whyNoOwnTables } from "../outboxes/own-tables.ts";
import type { OutboxHandle } from "../runtime.ts";

/** Throws wrong_state if operators cannot change the outbox: no primary key, observed only, or not migrated. */
export function requireOperable(handle: OutboxHandle): void {
  requireKey(handle.mapping.primaryKey.length, handle.name);
  if (handle.config.mode === "observe") {
    throw new AppError(
      "wrong_state",
      `Outbox ${handle.name} is observed only. Set mode: operate for it in outbox.yaml and run \`${ourCommand("migrate")}\`.`,
    );
  }
  if (!handle.storeSide) {
    throw new AppError("wrong_state", whyNoOwnTables(handle, `the database of outbox ${handle.name}`));
  }
}
