import { UpdateTableCommand } from "@aws-sdk/client-dynamodb";
import { ConfigError } from "#domain/errors.ts";
import type { StreamOptions } from "../../port/store.ts";
import { waitFor } from "../connection/wait-for.ts";
import { nowText } from "../items/instant.ts";
import { serverNowMs } from "../own-table/terms.ts";
import type { Room } from "../room.ts";
import { putReader, readCheckpoints } from "./checkpoints.ts";
import { problemOfTable } from "./stream-problem.ts";

const WITHIN_MS = 60_000;

/**
 * Switches the table's stream on, if it is off, and gives the reader its place in it: the oldest record that is kept.
 * Returns a list of its steps. Never changes a stream that is on: others may read it. Throws ConfigError.
 */
export async function createStream(room: Room, { reader, mark }: StreamOptions): Promise<string[]> {
  const { link, family, own, ref } = room;
  const ran: string[] = [];
  let table = await link.describe(family.table);
  const problem = problemOfTable(family.table, table, mark);
  if (problem?.code === "stream_off") {
    const StreamSpecification = { StreamEnabled: true, StreamViewType: "NEW_IMAGE" } as const;
    await link.client.send(new UpdateTableCommand({ TableName: family.table, StreamSpecification }));
    ran.push(problem.sql ?? "");
    table = await waitFor(WITHIN_MS, async () => {
      const now = await link.describe(family.table);
      return now?.LatestStreamArn !== undefined && now.TableStatus !== "UPDATING" ? now : null;
    });
  } else if (problem) throw new ConfigError([problem.message]);
  const arn = table?.LatestStreamArn;
  if (arn === undefined) throw new ConfigError([`The stream of ${family.table} was not there after a minute.`]);
  if (await readCheckpoints(own, ref.name, reader)) return ran;
  const createdAt = nowText(serverNowMs(link));
  await putReader(own, ref.name, reader, { arn, createdAt, confirmed: null, confirmedAt: null, lostAt: null });
  ran.push(`put the reader ${reader} of ${family.table} into ${own.name}`);
  return ran;
}
