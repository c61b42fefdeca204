import { AppError } from "#domain/errors.ts";
import { ourCommand } from "#domain/text/our-command.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";

/** Sentence: why the mapping does not allow retention to remove published rows; null if it does. */
export function whyNotByMapping({ name, mapping, accepted }: OutboxRef): string | null {
  const { lifecycle } = mapping;
  if (!accepted)
    return `The mapping of outbox ${name} was never accepted: run \`${ourCommand("migrate", `--accept-mapping ${name}`)}\`.`;
  if (mapping.primaryKey.length === 0) return "The table has no primary key, so no row can be named for certain.";
  switch (lifecycle.kind) {
    case "delete":
      return "Rows are deleted as they are published, so nothing is left to remove.";
    case "log":
    case "untold":
    case "unknown":
      return "No row says whether it was published, so none may go.";
    case "rules":
      if (lifecycle.reading !== undefined || lifecycle.sentRowsMayGo !== undefined) return null;
      return `This is a table of ${lifecycle.owner}, and nothing known here says that ${lifecycle.owner} no longer needs the rows it has sent. Use its own clean-up.`;
    default:
      return null;
  }
}

/** Throws wrong_state with that sentence. */
export function requireByMapping(ref: OutboxRef): void {
  const no = whyNotByMapping(ref);
  if (no !== null) throw new AppError("wrong_state", no);
}
