import { sql } from "drizzle-orm";
import { deadAssignments, retryAssignments } from "#db/stores/shared/act/native-updates.ts";
import type { OutboxMapping } from "../../port/mapping.ts";
import type { ActionStatement } from "../../port/outbox-actions.ts";
import * as shared from "../../shared/act/action-statements.ts";
import { toIndexText } from "../connection/dialect.ts";
import { tableNamed } from "../tables/outbox-table.ts";
import { changesBy, insertedBy, WRITER } from "./ruled-message.ts";

/** What each action writes into the team's table, for one row with the key $1, to read. */
export function actionStatements(mapping: OutboxMapping): ActionStatement[] {
  return shared.actionStatements(mapping, {
    retry: () => retryAssignments(mapping, null, WRITER),
    dead: () => deadAssignments(mapping, null, WRITER),
    changesOf: changesBy,
    insertedBy: (rule) => insertedBy(mapping, rule),
    table: (name) => sql`${tableNamed(name)}`,
    placeholder: (index) => `$${index + 1}`,
    toText: toIndexText,
  });
}
