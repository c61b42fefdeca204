import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import type { Failure } from "#domain/failure.ts";
import { publishInLanes } from "./publish-in-lanes.ts";
import { type Link, SharedLink } from "./shared-link.ts";
import type { BehindTopics, MissingTopic, PublishOutcome, Sink } from "./sink.ts";

export interface LinkSinkParts<T extends Link> {
  kind: string;
  /** For people: no passwords, tokens or query strings. */
  address: string;
  maxBatch: number;
  open(): Promise<T>;
  /** How a message goes out, which must not reject; or why it cannot. */
  prepare(message: OutgoingMessage): ((link: T) => Promise<PublishOutcome>) | Failure;
  /** Why nothing can be published although there is a connection; null when it can. */
  whyNotReady(link: T): Failure | null;
  /** Null when the topic is there. */
  missingTopic(link: T, topic: string): Promise<MissingTopic | null>;
  behind?: BehindTopics;
  /** Of a connection that is not to be had: nothing was sent. */
  failureOfOpen(error: unknown): Failure;
}

/** A sink over one shared connection to a broker that confirms each message by itself. */
export function createLinkSink<T extends Link>(parts: LinkSinkParts<T>): Sink {
  const { kind, address, prepare, whyNotReady, failureOfOpen } = parts;
  const shared = new SharedLink(parts.open);
  const closing = new AbortController();

  /** All messages of a call take the connection that the first of them found, while it is there. */
  const sender = () => {
    let found = shared.busy;
    let finding: Promise<T> | undefined;
    const find = async () => {
      try {
        found = await shared.get();
        return found;
      } finally {
        finding = undefined;
      }
    };
    return (message: OutgoingMessage): Promise<PublishOutcome> => {
      const prepared = prepare(message);
      if (typeof prepared !== "function") return fail(prepared);
      if (found?.usable) return prepared(found);
      finding ??= find();
      return finding.then(prepared, (error: unknown) => fail(failureOfOpen(error)));
    };
  };
  const check = () => shared.get().then(whyNotReady, failureOfOpen);

  return {
    kind,
    maxBatch: parts.maxBatch,
    ...(parts.behind ? { behind: parts.behind } : {}),
    keepsOrderInBatch: true,
    async connect() {
      // A broker that is not there yet is an outage like any other, which the first message will tell.
      await check();
    },
    check,
    async missingTopics(topics) {
      const missing: MissingTopic[] = [];
      for (const topic of topics) {
        const found = await shared.get().then(
          (link) => parts.missingTopic(link, topic),
          (error: unknown) => ({ topic, message: failureOfOpen(error).message, fix: null }),
        );
        if (found) missing.push(found);
      }
      return missing;
    },
    publish: (messages, signal) => publishInLanes({ messages, signals: [signal, closing.signal], send: sender() }),
    async close() {
      closing.abort();
      await shared.close();
    },
    describe: () => ({ kind, address }),
  };
}

function fail(failure: Failure): Promise<PublishOutcome> {
  return Promise.resolve({ kind: "failed", failure });
}
