import { afterEach, beforeEach } from "vitest";
import { waitFor } from "#tests/wait-for.ts";
import type { Notice, OpenStream, RelayStream } from "../../port/relay/relay-stream.ts";
import type { StreamPosition } from "../../port/relay/stream-transaction.ts";
import type { StreamOptions } from "../../port/store.ts";
import type { RelayHand } from "../open-outbox.fixture.ts";
import { BY_CAPABILITY, type DatabaseOptions, type Layout, type StoreUnderTest } from "../store-under-test.fixture.ts";
import { type RelayStage, stageRelays } from "./relay-stage.fixture.ts";

/** An open stream and all its notices. */
interface Listening {
  readonly open: OpenStream;
  readonly notices: readonly Notice[];
  readonly commits: readonly StreamPosition[];
  /** The first `count` notices, once they and the commits of their transactions have arrived. */
  heard(count: number): Promise<readonly Notice[]>;
}

export interface StreamStage {
  readonly stage: RelayStage;
  options(mark: StreamOptions["mark"]): StreamOptions;
  /** A relay that has the lease and reads the log. */
  reader(mark: StreamOptions["mark"], owner?: string): Promise<RelayHand & { stream: RelayStream }>;
  listen(stream: RelayStream): Promise<Listening>;
  /** After another reader has ended, which the server may notice a moment later. */
  listenAgain(stream: RelayStream): Promise<Listening>;
}

/** A stage whose relays read the log. Tests are skipped where the engine has none. */
export function stageStreams(
  engine: StoreUnderTest,
  layout: Layout,
  databaseOptions: DatabaseOptions = {},
): StreamStage {
  const stage = stageRelays(engine, layout, databaseOptions);
  let opened: OpenStream[] = [];
  beforeEach(({ skip }) => skip(stage.store.capabilities.stream === "none", `${BY_CAPABILITY} the engine has no log`));
  // Before the database is dropped, and the log's reader with it.
  afterEach(async () => {
    await Promise.all(opened.map((open) => open.close()));
    opened = [];
  });

  const options = (mark: StreamOptions["mark"]) => ({ ...stage.database.stream, mark });
  const listen = async (stream: RelayStream) => {
    const listening = await listenTo(stream);
    opened.push(listening.open);
    return listening;
  };
  return {
    ...{ stage, options, listen },
    listenAgain: (stream) => waitFor(() => listen(stream), { message: "the last reader has gone" }),
    reader: async (mark, owner) => {
      const stream = options(mark);
      await stage.outbox.createStream(stream);
      const hand = await stage.owner(owner, { stream });
      return Object.assign(hand, { stream: streamOf(hand) });
    },
  };
}

async function listenTo(stream: RelayStream): Promise<Listening> {
  const notices: Notice[] = [];
  const commits: StreamPosition[] = [];
  let unfinished = false;
  const open = await stream.open({
    notice: (notice) => {
      unfinished = true;
      notices.push(notice);
    },
    commit: (position) => {
      unfinished = false;
      commits.push(position);
    },
    position: () => undefined,
    flushed: () => undefined,
  });
  const heard = (count: number) =>
    waitFor(() => !unfinished && notices.length >= count && notices, { message: `${count} rows were told of` });
  return { open, notices, commits, heard };
}

function streamOf({ table }: RelayHand): RelayStream {
  if (!table.stream) throw new Error("The relay has no stream.");
  return table.stream;
}
