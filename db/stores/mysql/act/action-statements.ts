import { sql } from "drizzle-orm";
import { deadAssignments, retryAssignments } from "#db/stores/shared/act/native-updates.ts";
import type { OutboxMapping } from "../../port/mapping.ts";
import type { ActionStatement } from "../../port/outbox-actions.ts";
import * as shared from "../../shared/act/action-statements.ts";
import { toText } from "../connection/dialect.ts";
import { tableNamed } from "../tables/outbox-table.ts";
import { changesBy, insertedBy, WRITER } from "./ruled-message.ts";

/** SQL that each action runs on the team's table for one row, for people to read; each ? stands for the row's key. */
export function actionStatements(mapping: OutboxMapping): ActionStatement[] {
  return shared.actionStatements(mapping, {
    retry: () => retryAssignments(mapping, null, WRITER),
    dead: () => deadAssignments(mapping, null, WRITER),
    changesOf: changesBy,
    insertedBy: (rule) => insertedBy(mapping, rule),
    table: (name) => sql`${tableNamed(name)}`,
    placeholder: () => "?",
    toText,
  });
}
