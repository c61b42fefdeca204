import { isDue } from "../relay/claim/claimable.ts";
import { notDeadSql } from "../relay/claim/not-dead.ts";
import { notIsolatedSql } from "../relay/claim/not-isolated.ts";
import { typeGoesSql } from "../relay/claim/pause-filter.ts";
import { textList } from "../relay/literals.ts";
import { idReader, scheduledSql } from "../relay/read-row.ts";
import { aggregateKey, type RelayContext } from "../relay/relay-context.ts";
import { unsentRows } from "../relay/waiting-rows.ts";
import { exact } from "../tables/mapping-sql.ts";

/** The first rows in order that a claim would take. Index: as for the claim. Race: none; this only reads. */
export async function readUnsent(
  context: RelayContext,
  { limit, excludeAggregates }: { limit: number; excludeAggregates: readonly string[] },
): Promise<{ id: string; scheduled: boolean }[]> {
  const { availableAt, createdAt } = context.mapping.columns;
  const { columns, id } = idReader(context.mapping);
  const key = exact(aggregateKey(context));
  const read = unsentRows(context, {
    select: [...columns, availableAt ? scheduledSql(availableAt, createdAt) : "FALSE"],
    after: null,
    where: [
      isDue(context),
      notDeadSql(context),
      notIsolatedSql(context),
      ...typeGoesSql(context),
      ...(excludeAggregates.length === 0 || !context.lanes
        ? []
        : [`(${key} IN ${textList(excludeAggregates)}) IS NOT TRUE`]),
    ],
    limit,
  });
  const rows = await context.sessions.single((session) => session.rows(read));
  return rows.map((row) => ({ id: id(row), scheduled: row.at(-1) === "1" }));
}
