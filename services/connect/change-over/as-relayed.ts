import { AppError } from "#domain/errors.ts";
import { ourCommand } from "#domain/text/our-command.ts";
import type { OutboxHandle } from "../../runtime.ts";
import { resolveMapping } from "../../stores/resolve-mapping.ts";

const MARKED = ["timestamp", "status", "flag"];

/**
 * The outbox of a connector, as our relay would read its table. Throws wrong_state if the relay could not, or if no
 * column can say that a row was published.
 */
export function asRelayed(known: OutboxHandle): OutboxHandle {
  const { name, catalog, tables, storeSide } = known;
  const { debezium: _, ...rest } = known.config;
  const config = { ...rest, mode: "operate" as const };
  if (!storeSide)
    throw new AppError(
      "wrong_state",
      `Outbox ${name} needs mode: operate and \`${ourCommand("migrate")}\` for the change-over.`,
    );
  // An outbox that was never ours was accepted without a state.
  const accepted = known.accepted?.lifecycle.kind === "untold" ? null : known.accepted;
  const resolved = resolveMapping({ name, config, table: catalog, tables, accepted });
  if ("problem" in resolved) throw new AppError("wrong_state", resolved.problem);
  if (resolved.stop !== null) throw new AppError("wrong_state", resolved.stop.message);
  const { kind } = resolved.mapping.lifecycle;
  if (MARKED.includes(kind)) return { ...known, ...resolved, config };
  throw new AppError(
    "wrong_state",
    `No column of outbox ${name} can say that a row was published (lifecycle ${kind}), so a relay would publish every row again. Delete by hand what was published: docs/debezium.md.`,
  );
}
