import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import { messageOf } from "#domain/errors.ts";
import type { Failure } from "#domain/failure.ts";
import { publishInLanes } from "./publish-in-lanes.ts";
import { type Link, SharedLink } from "./shared-link.ts";
import { ABORTED, type BehindTopics, type MissingTopic, type PublishOutcome, type Sink, unsent } from "./sink.ts";

export interface LinkSinkParts<T extends Link> {
  kind: string;
  /** Address for display: no passwords, tokens or query strings. */
  address: string;
  maxBatch: number;
  open(): Promise<T>;
  /** Sends a message; returns a failure, or throws, if its content cannot be sent. */
  prepare(message: OutgoingMessage): ((link: T) => Promise<PublishOutcome>) | Failure;
  /** Why nothing can be published although there is a connection; null when it can. */
  whyNotReady(link: T): Failure | null;
  /** Null when the topic exists. */
  missingTopic(link: T, topic: string): Promise<MissingTopic | null>;
  behind?: BehindTopics;
  /** Classifies the error of a failed connection; nothing was sent. */
  failureOfOpen(error: unknown): Failure;
}

/** A sink over one shared connection to a broker that confirms messages individually. */
export function createLinkSink<T extends Link>(parts: LinkSinkParts<T>): Sink {
  const { kind, address, prepare, whyNotReady, failureOfOpen } = parts;
  const shared = new SharedLink(parts.open);
  const closing = new AbortController();

  const prepareOrFail: typeof prepare = (message) => {
    try {
      return prepare(message);
    } catch (error) {
      return { code: "serialisation", kind: "message", message: `The message cannot be sent: ${messageOf(error)}.` };
    }
  };

  /** Every message of a call uses the connection that the first one found, while it lasts. */
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
    return async (message: OutgoingMessage, isOver: () => boolean): Promise<PublishOutcome> => {
      const prepared = prepareOrFail(message);
      if (typeof prepared !== "function") return unsent(prepared);
      if (found?.usable) return prepared(found);
      finding ??= find();
      return finding.then(
        // The call may have ended while the connection opened, and with it the right to publish.
        (link) => (isOver() ? ABORTED : prepared(link)),
        (error: unknown) => fail(failureOfOpen(error)),
      );
    };
  };
  const check = () => shared.get().then(whyNotReady, failureOfOpen);

  return {
    kind,
    maxBatch: parts.maxBatch,
    ...(parts.behind ? { behind: parts.behind } : {}),
    keepsOrderInBatch: true,
    async connect() {
      // An unreachable broker is an outage that the first message reports, not a failure to start.
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

function fail(failure: Failure): PublishOutcome {
  return { kind: "failed", failure };
}
