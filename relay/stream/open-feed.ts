import type { Claim } from "#db/stores/port/relay/claim.ts";
import type { PipelineContext } from "../pipeline/state/pipeline-context.ts";
import type { FeedState } from "./feed-state.ts";
import { StreamFeed } from "./stream-feed.ts";
import { StreamSource } from "./stream-source.ts";

export interface OpenedFeed {
  feed: StreamFeed;
  source: StreamSource;
}

/** Creates the stream of one term; null for a relay that polls. Nothing connects before `source.start`. */
export function openFeed(input: {
  context: PipelineContext;
  state: FeedState;
  /** `stale`: meanwhile a message that may precede these went back to the table. */
  accept: (claim: Claim, stale: boolean) => void;
  wake: () => void;
}): OpenedFeed | null {
  const { context, state, accept, wake } = input;
  const { stream } = context.table;
  if (!stream) return null;
  const source = new StreamSource({ stream, log: context.log, events: { notices: wake, connected: wake } });
  return { source, feed: new StreamFeed({ context, stream, source, state, accept, wake }) };
}
