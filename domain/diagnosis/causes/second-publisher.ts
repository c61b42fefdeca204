import type { CauseDraft, DiagnosisInput, DiagnosisSettings, Rule } from "../cause.ts";
import type { FreshMarks, OtherConnector } from "../facts/connector.ts";
import type { LogReader } from "../facts/log-readers.ts";
import type { RelayReading } from "../facts/relays.ts";
import {
  ageSecondsOf,
  evidenceOf,
  formatInstant,
  formatMessages,
  MISSED_BY_LOG,
  pagePath,
  sessionName,
} from "../phrases.ts";
import { aliveRelays } from "./no-relay-alive.ts";

/** Age up to which a relay's last publication is called present. */
const RECENT_SECONDS = 60;
/** Fresh marks go back a minute, and a relay settles after it has published: until then some may be its own. */
const OWN_MARKS_SECONDS = 70;
/** States in which a relay publishes nothing. */
const AT_REST = ["paused", "standby", "stopped", "holding"];

type Draft = Pick<CauseDraft, "key" | "subject" | "what" | "diagnosis" | "nextStep" | "evidence"> & Partial<CauseDraft>;

export const secondPublisher: Rule = {
  rule: "second_publisher",
  title: "Second publisher",
  definition:
    "Something else works on this outbox's table in addition to its publisher: another connector, a session that reads the table's rows from the log, or, where a connector publishes, our relay or something that marks rows.",
  threshold: () => `a sign of one within the last ${RECENT_SECONDS} s, or a reader that is connected`,
  needs: [],
  isComplete: (input) => !isPublishedHere(input.settings) || isAllRead(input),
  evaluate: (input) => {
    if (!isPublishedHere(input.settings)) return [];
    const { connector } = input.settings;
    const beside = connector === null ? [] : besideConnector(input, connector);
    return [...beside, ...ofReaders(input)].map((draft) => ({
      word: "at_risk",
      severity: "warn",
      title: "Second publisher",
      next: { label: "See the relays", path: pagePath("relays", input.settings.outbox) },
      messages: null,
      aggregates: null,
      since: null,
      ...draft,
    }));
  },
};

/** False for an outbox that is only watched: its intended publisher is not known. */
function isPublishedHere({ connector, mode }: DiagnosisSettings): boolean {
  return connector !== null || mode === "relay";
}

function isAllRead(input: DiagnosisInput): boolean {
  const { logReaders, freshMarks, relays, connector } = input.facts;
  if (logReaders === undefined || relays === undefined) return false;
  if ((logReaders?.hidden ?? []).some((slot) => !isExpected(input, slot))) return false;
  if (input.settings.connector === null) return true;
  const isSlotKnown = connector?.slot !== null || (logReaders?.readers.length ?? 0) < 2;
  return freshMarks !== undefined && connector !== undefined && connector?.others !== null && isSlotKnown;
}

function besideConnector(input: DiagnosisInput, connector: string): Draft[] {
  const { facts } = input;
  const relays = facts.relays?.pause ? [] : aliveRelays(input).filter(({ state }) => !AT_REST.includes(state));
  const known = relays.length === 0 && !hasJustPublished(input) ? facts.freshMarks : null;
  const marks = known && known.messages > 0 ? [known] : [];
  return [
    ...relays.map((relay) => ofRelay(input, relay, connector)),
    ...marks.map((fresh) => ofMarks(fresh, connector)),
    ...publishingConnectors(input).map((other) => ofConnector(other, connector)),
  ];
}

/** Also of a relay that was stopped or paused since. */
function hasJustPublished({ facts, asOf }: DiagnosisInput): boolean {
  const times = (facts.relays?.instances ?? []).flatMap(({ lastPublishedAt }) => lastPublishedAt ?? []);
  return times.some((at) => ageSecondsOf(at, asOf) <= OWN_MARKS_SECONDS);
}

function ofRelay({ asOf }: DiagnosisInput, relay: RelayReading, connector: string): Draft {
  const last = relay.lastPublishedAt;
  const publishes = last !== null && ageSecondsOf(last, asOf) <= RECENT_SECONDS;
  return {
    key: `relay ${relay.id}`,
    subject: `${relay.host}, process ${relay.pid}`,
    what: `our relay at ${relay.host} (process ${relay.pid}) ${publishes ? "publishes" : "is ready to publish"} this outbox in addition to the connector ${connector}`,
    clauses: [publishes ? "consumers get messages twice and out of order" : null],
    diagnosis:
      "By this console's configuration a connector publishes the outbox. That relay has other settings, from before the change-over, and nothing pauses it. Nothing is lost.",
    nextStep:
      "Stop that worker, or start it again with the configuration of this console. Consumers can recognise messages that both have sent only by the message id.",
    evidence: evidenceOf({
      Relay: `${relay.host}, process ${relay.pid}, ${relay.state}`,
      "Last heartbeat": formatInstant(relay.heartbeatAt),
      "Last published": last && formatInstant(last),
      Sink: `${relay.sinkName} (${relay.sinkAddress})`,
    }),
  };
}

function ofMarks({ messages, capped, column, lastAt }: FreshMarks, connector: string): Draft {
  return {
    key: "marks",
    subject: "someone else publishes this table too",
    what: `something other than the connector ${connector} marks rows of this table as published`,
    clauses: [`${formatMessages(messages, capped)} in the last minute`],
    diagnosis: `Rows of this table have a fresh time in ${column}. Debezium does not write it, and no known relay of ours has published lately, so another program did: a relay of another console, or the service's own publisher. Consumers get everything it sends twice.`,
    nextStep: `Find the program that writes ${column} and stop it. If it only records what it has read elsewhere, let it write to another column.`,
    messages,
    messagesCapped: capped,
    evidence: evidenceOf({
      Column: column,
      "Marked in the last minute": formatMessages(messages, capped),
      "Last mark": lastAt && formatInstant(lastAt),
    }),
  };
}

/** Those that run now. One whose configuration does not say what it publishes is left out. */
function publishingConnectors({ facts }: DiagnosisInput): OtherConnector[] {
  return (facts.connector?.others ?? []).filter(({ publishes, state }) => publishes === true && state === "RUNNING");
}

function ofConnector(other: OtherConnector, connector: string): Draft {
  return {
    key: `connector ${other.connector}`,
    subject: other.connector,
    what: `the connector ${other.connector} publishes this table in addition to the connector ${connector}`,
    clauses: ["consumers of both topics get messages twice"],
    diagnosis: `Both connectors run in the same Kafka Connect, read the same database, and send this table through Debezium's outbox event router.`,
    nextStep: `Take the table out of table.include.list of one of them, or stop that one in Kafka Connect. Nothing is lost while ${connector} runs.`,
    evidence: evidenceOf({ Connector: other.connector, State: other.state, Slot: other.slot }),
  };
}

function ofReaders(input: DiagnosisInput): Draft[] {
  const { facts, settings } = input;
  // The connector's own slot is among them, and it is not known which one that is.
  if (settings.connector !== null && !facts.connector?.slot) return [];
  return (facts.logReaders?.readers ?? [])
    .filter(({ slot }) => !isExpected(input, slot))
    .map((reader) => (isOurs(input, reader) ? ofReaderOfOurs(reader) : ofReader(reader)));
}

/** A slot of ours that another session reads. */
function isOurs(input: DiagnosisInput, { slot }: LogReader): boolean {
  return aliveRelays(input).some(({ stream }) => stream?.slot === slot);
}

function ofReaderOfOurs(reader: LogReader): Draft {
  const { slot } = reader;
  return {
    ...ofReader(reader),
    what: `${sessionName(reader)} reads our relay's slot ${slot}`,
    clauses: ["our relay cannot read the log"],
    diagnosis: `A slot has one reader, and messages that this session confirms are not sent to our relay again. ${MISSED_BY_LOG}`,
    nextStep: "Stop that program, or give it a slot of its own. Our relay then reads this slot again.",
  };
}

function isExpected(input: DiagnosisInput, slot: string): boolean {
  const { settings, facts } = input;
  const others = facts.connector?.others ?? [];
  return (
    slot === facts.connector?.slot ||
    settings.otherReaders.includes(slot) ||
    // Reported as a connector, or known not to publish the table.
    others.some((other) => other.slot === slot && other.publishes !== null)
  );
}

function ofReader(reader: LogReader): Draft {
  const { slot, publications, user, clientAddress, connectedAt } = reader;
  return {
    key: `slot ${slot}`,
    subject: slot,
    what: `${sessionName(reader)} also gets the rows of this table, by the slot ${slot}`,
    clauses: ["whether it publishes them is not known"],
    diagnosis: `The publication ${publications.join(", ")} names this table, and the server sends what is written there to that session. A connector would publish every message a second time; a subscription or a loader only copies rows.`,
    nextStep: `Find out who reads the slot ${slot}. If it publishes, stop one of the two. If it does not, name the slot in relay.otherReaders in outbox.yaml.`,
    since: connectedAt,
    evidence: evidenceOf({
      Slot: slot,
      Publication: publications.join(", "),
      Session: sessionName(reader),
      User: user,
      Address: clientAddress,
      Connected: formatInstant(connectedAt),
    }),
  };
}
