import type { OutboxSummary } from "#contracts/outbox/outboxes.ts";
import type { RelayInstance, RelayList } from "#contracts/outbox/relays.ts";
import { SILENT_SOON_SECONDS } from "#domain/diagnosis/facts/relays.ts";
import { endSentence } from "#domain/diagnosis/phrases.ts";
import { isLive } from "./sort-relays.ts";

/** As it last said; `silent`: its heartbeats, one a second, are missing, and it does not count as lost yet. */
export type ShownState = RelayInstance["state"] | "silent";

export function shownState(relay: Pick<RelayInstance, "state" | "heartbeatAgeSeconds">): ShownState {
  return isLive(relay) && relay.heartbeatAgeSeconds >= SILENT_SOON_SECONDS ? "silent" : relay.state;
}

type Described = Pick<RelayInstance, "state" | "breaker" | "heartbeatAgeSeconds">;

/** What a state means for the messages, in one sentence. */
export function stateMeaning(relay: Described): string {
  const { breaker } = relay;
  switch (shownState(relay)) {
    case "owner":
      return "Owns the outbox, or a share of it, and publishes.";
    case "standby":
      return "Owns no partition, so it publishes nothing; it takes over as soon as one is free.";
    case "paused":
      return "The outbox is paused: it publishes nothing.";
    case "holding":
      return breaker === null
        ? "It publishes nothing until the reason of its last error is gone."
        : "The sink cannot be used: messages wait and use up no attempts.";
    case "stopping":
      return "It settles its last batch and then stops.";
    case "stopped":
      return "Stopped cleanly and released its lease.";
    case "silent":
      return "Its heartbeats are missing: what it does now is not known.";
    case "lost":
      return "No heartbeat and no clean stop: it was killed, hangs, or does not reach the database.";
  }
}

/** The text of its last error; "the same" where its breaker, or that of a route, shows that text already. */
export function lastErrorText(relay: Pick<RelayInstance, "lastError" | "breaker" | "routes">): string | null {
  const { lastError, breaker, routes } = relay;
  if (lastError === null) return null;
  const shown = [...(breaker ? [breaker] : []), ...routes].map(({ message }) => endSentence(message));
  const isWhole = !lastError.trim().includes("\n");
  return isWhole && shown.includes(endSentence(lastError)) ? "The same." : lastError;
}

/** The browser does not know which of the two commands this installation has. */
const START =
  "Start a worker with “npm run worker”, or of the package with “npx outbox-console worker”; if one runs, read its log.";

export interface NotPublishing {
  title: string;
  text: string;
}

type Served = Pick<OutboxSummary, "name" | "mode" | "connector">;

/** Why no relay of this console publishes the outbox now; null if one runs, and if its relays could not be read. */
export function whyNoRelay(
  { name, mode, connector }: Served,
  { relays, problems, undecided }: Pick<RelayList, "relays" | "problems" | "undecided">,
): NotPublishing | null {
  if (connector !== null || problems.some(({ outbox }) => outbox === name)) return null;
  const ours = relays.filter(({ outbox }) => outbox === name);
  if (ours.some(isLive)) return null;
  if (mode !== "relay") {
    const observed = mode === "observe" ? "It is observed only. " : "";
    return {
      title: `This console does not relay ${name}.`,
      text: `${observed}Its own relay publishes it. To use ours, set “mode: relay” for it in outbox.yaml and start a worker.`,
    };
  }
  const question = undecided.find(({ outbox }) => outbox === name);
  if (question) return { title: `No relay publishes ${name} until a person decides.`, text: question.message };
  return ours.length === 0
    ? { title: `No relay of ${name} has ever reported.`, text: `It is configured to be relayed. ${START}` }
    : { title: `No relay of ${name} reports.`, text: `The last one is listed below. ${START}` };
}
