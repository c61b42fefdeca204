import type { TableDescription } from "@aws-sdk/client-dynamodb";
import { ourCommand } from "#domain/text/our-command.ts";
import type { StreamProblem } from "../../port/relay/relay-stream.ts";
import type { StreamOptions } from "../../port/store.ts";
import type { ReaderDoc } from "./checkpoints.ts";

const VIEWS = ["NEW_IMAGE", "NEW_AND_OLD_IMAGES"];

function enableCommand(table: string): string {
  return `aws dynamodb update-table --table-name ${table} --stream-specification StreamEnabled=true,StreamViewType=NEW_IMAGE`;
}

/** Why the table's stream cannot be read; null if it can. Pure. */
export function problemOfTable(
  name: string,
  table: TableDescription | null,
  mark: StreamOptions["mark"],
): StreamProblem | null {
  const problem = (code: string, message: string, sql: string | null): StreamProblem => ({
    code,
    passes: false,
    message,
    sql,
  });
  if (!table) return problem("table_missing", `The table ${name} does not exist.`, null);
  if (mark === "none")
    return problem(
      "mark_none",
      `The relay keeps no state of its own for the items of ${name}: set relay.cdc.mark to column or delete.`,
      null,
    );
  const { StreamEnabled: enabled, StreamViewType: view } = table.StreamSpecification ?? {};
  if (!enabled || table.LatestStreamArn === undefined)
    return problem("stream_off", `The table ${name} has no stream.`, enableCommand(name));
  if (!VIEWS.includes(view ?? ""))
    return problem(
      "stream_view",
      `The stream of ${name} has ${view}, which lacks the items: switch it off and on again with NEW_IMAGE.`,
      enableCommand(name),
    );
  return null;
}

/** Why a reader cannot read the stream of this ARN; null if it can. Pure. */
export function problemOfReader(name: string, reader: ReaderDoc | null, arn: string): StreamProblem | null {
  if (!reader)
    return {
      code: "reader_missing",
      passes: false,
      message: `The reader ${name} has no position in the stream yet.`,
      sql: ourCommand("migrate", "--cdc"),
    };
  return reader.arn === arn ? null : replacedProblem(reader.arn, arn);
}

/** The stream was switched off and on again: writes in between are in neither stream. */
function replacedProblem(was: string, now: string): StreamProblem {
  const label = (arn: string) => arn.split("/stream/").at(-1) ?? arn;
  return {
    code: "stream_replaced",
    passes: true,
    message: `The table's stream was switched off and on again: that of ${label(was)} is not read any more, that of ${label(now)} is read from its beginning, and what was written between is found by the index of waiting items.`,
    sql: null,
  };
}

export function trimmedProblem(table: string): StreamProblem {
  return {
    code: "trimmed",
    passes: true,
    message: `The stream of ${table} keeps 24 hours, and a part of it was removed before it was read: it is read from the oldest record that is left, and what was missed is found by the index of waiting items.`,
    sql: null,
  };
}
