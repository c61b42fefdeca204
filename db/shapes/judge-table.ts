import type { CatalogColumn, CatalogTable } from "../stores/port/catalog.ts";
import type { ColumnRole } from "../stores/port/mapping.ts";
import { assignRoles } from "./columns/assign-roles.ts";
import { plainName } from "./columns/plain-name.ts";
import { whetherRowsAreSent } from "./columns/sent-to-broker.ts";
import {
  nameHintOf,
  saysCopied,
  saysInward,
  saysLeaving,
  saysLog,
  saysOutward,
  saysQueueOnly,
} from "./columns/table-name.ts";
import { findLibrary } from "./find-library.ts";
import { knownToolOf } from "./known-tools.ts";
import type { LibraryTable } from "./libraries/library-table-type.ts";
import { directionOf } from "./lifecycle/both-directions.ts";
import { NOTHING_ELSE, type OtherKindFound, otherKindOf } from "./other-kinds.ts";
import { indexHintsOf } from "./words/index-hints.ts";
import { hasConcept, wordsOf } from "./words/name-words.ts";
import { isSendName } from "./words/status-name.ts";

export interface Judgement {
  /** `leftAlone`: it resembles an outbox, and is something else. `other`: it does not. */
  kind: "outbox" | "candidate" | "leftAlone" | "other";
  /** 0 to 100. */
  score: number;
  /** Sentences: what speaks for an outbox and what against it. */
  evidence: string[];
  /** For a candidate: what a person has to answer. */
  question: string | null;
  /** For `leftAlone`: sentence. */
  reason: string | null;
  roles: Partial<Record<ColumnRole, CatalogColumn>>;
}

interface Findings {
  table: CatalogTable;
  roles: Judgement["roles"];
  hint: ReturnType<typeof nameHintOf>;
  other: OtherKindFound;
  /** A column marks published messages. */
  marks: boolean;
  /** A column says what a message is about. */
  describes: boolean;
}

/**
 * Whether a table is an outbox, by its name, its columns with their types, its indexes and what it resembles besides.
 */
export function judgeTable(table: CatalogTable): Judgement {
  const known = judgements.get(table) ?? judge(table);
  judgements.set(table, known);
  return known;
}

/** A table is asked about by several, and read again each minute as another object. */
const judgements = new WeakMap<CatalogTable, Judgement>();

function judge(table: CatalogTable): Judgement {
  const library = findLibrary(table);
  if (library?.byName) return judgeLibrary(library.known);
  const roles = assignRoles(table, {});
  const hint = nameHintOf(table.name);
  const marks = roles.publishedAt !== undefined || roles.status !== undefined;
  const describes = roles.eventType !== undefined || roles.topic !== undefined;
  // Most tables of a large catalog resemble nothing of this: what else they are is not worth the time.
  const resembles =
    hint.kind !== "none" || (roles.payload !== undefined && marks && (describes || isRetried(table, roles)));
  const other = resembles ? otherKindOf(table) : NOTHING_ELSE;
  const found: Findings = { table, roles, hint, other, marks, describes };
  const weighed = weigh(found);
  const judged = { score: scoreOf(weighed), evidence: weighed.map(({ text }) => text), roles };
  const tool = knownToolOf(table);
  if (tool) return { ...judged, kind: "leftAlone", question: null, reason: `${tool.tool}: ${tool.why}.` };
  if (hint.kind === "beside") return { ...judged, kind: "other", question: null, reason: null };
  const aside = setAside(found);
  if (aside) return { ...judged, kind: "leftAlone", question: null, reason: aside };
  if (isOutbox(found)) return { ...judged, kind: "outbox", question: null, reason: null };
  const question = questionAbout(found, judged.score);
  return { ...judged, kind: question === null ? "other" : "candidate", question, reason: null };
}

function judgeLibrary({ library, kind }: LibraryTable): Judgement {
  const evidence = [`Its name and its columns are those of ${library}.`];
  const judged = { score: 100, evidence, question: null, reason: null, roles: {} };
  if (kind.role === "helper") return { ...judged, kind: "leftAlone", score: 0, reason: `${library}: ${kind.reason}.` };
  return { ...judged, kind: kind.role === "inbox" ? "other" : "outbox" };
}

function isOutbox({ table, roles, hint, marks, describes, other }: Findings): boolean {
  if (!roles.id || !roles.payload || directionOf(table)) return false;
  if (hint.kind === "outbox") return (marks || describes) && !isDoubtful(other, roles);
  if (other.score >= 2) return false;
  const keyed = roles.aggregateId !== undefined || roles.topic !== undefined;
  if (receivedBy(table) || saysInward(table.name) || saysLog(table.name)) return false;
  if (isNumberedByStream(table, roles) && !marksSent(roles)) return false;
  if (hint.kind === "outgoing") return marks && describes && !(saysQueueOnly(table.name) && other.score > 0);
  return hint.kind === "events" && describes && keyed && marksSent(roles) && !mayBeGoods(table, roles);
}

/** Of a table of events, what was processed may as well have arrived: an import, a projection, a provider's calls. */
function marksSent({ publishedAt }: Judgement["roles"]): boolean {
  return publishedAt !== undefined && saysSent(publishedAt.name);
}

/** `delivered_at`, `shipped_at` of an event may be that of a parcel, unless something else speaks of a relay. */
function mayBeGoods(table: CatalogTable, roles: Judgement["roles"]): boolean {
  const { publishedAt, status, attempts, lastError, lockedUntil, availableAt } = roles;
  if (!publishedAt || [status, attempts, lastError, lockedUntil, availableAt].some((one) => one !== undefined))
    return false;
  if (indexEvidence(table, roles).length > 0) return false;
  return wordsOf(plainName(table, publishedAt.name)).some(({ text }) => GOODS.test(text));
}

const GOODS = /^(delivered|shipped|geliefert|livre|livree|entregado|entregue|consegnato|geleverd|bezorgd)$/;

/** The time at which its rows were received: what waits in it may be work that arrived. */
function receivedBy(table: CatalogTable): CatalogColumn | undefined {
  if (saysOutward(table.name)) return undefined;
  return table.columns.find((column) => {
    const words = wordsOf(plainName(table, column.name));
    return hasConcept(words, "received") && (words.length === 1 || (words.length === 2 && hasConcept(words, "time")));
  });
}

/** A table that resembles an outbox, and whose columns say that it is something else. */
function setAside({ table, hint, other, roles, marks, describes }: Findings): string | null {
  if (hint.kind !== "none" && saysCopied(table.name))
    return `${table.schema}.${table.name} looks like a copy of another table by its name.`;
  if (hint.kind === "outbox" ? !isSurelyOther(other) : other.score < 2) return null;
  if (hint.kind === "none" && !(roles.payload && marks && describes)) return null;
  const columns =
    other.columns.length > 0
      ? ` by its column${other.columns.length > 1 ? "s" : ""} ${other.columns.join(", ")}`
      : " by its name";
  return `${table.schema}.${table.name} looks like ${other.what}${columns}.`;
}

/** Of a table that is called an outbox. Events about tasks or payments are not tasks or payments. */
function isSurelyOther({ toPeople, byName, byColumns }: OtherKindFound): boolean {
  return toPeople ? byColumns >= 3 || (byName && byColumns >= 1) : byColumns >= 5;
}

function isDoubtful(other: OtherKindFound, { eventType, aggregateId }: Judgement["roles"]): boolean {
  const isAboutEvents = eventType !== undefined && aggregateId !== undefined;
  return other.byColumns >= (other.toPeople ? 2 : 3) || (other.toPeople && other.byName && !isAboutEvents);
}

/** What a person has to answer about a near miss; null if the table is none. */
function questionAbout(found: Findings, score: number): string | null {
  const { roles, hint, describes, marks } = found;
  const known = Object.keys(roles).filter((role) => role !== "order").length;
  const hasContent = marks || describes || roles.payload !== undefined || roles.attempts !== undefined;
  if (hint.kind === "outbox")
    return (known >= 2 && hasContent) || (known >= 1 && hasDocument(found.table)) ? whatIsMissing(found) : null;
  if (hint.kind === "outgoing" && !(roles.payload && roles.id))
    return known >= 4 && (marks || describes || roles.attempts) ? whatIsMissing(found) : null;
  const asked = roles.payload && roles.id && found.other.score < 2 ? whetherItIs(found, score) : null;
  return asked ?? (hint.kind === "none" ? whetherRowsAreSent(found.table, roles.payload !== undefined) : null);
}

const DOCUMENTS: readonly CatalogColumn["family"][] = ["json", "binary"];
const hasDocument = ({ columns }: CatalogTable) => columns.some(({ family }) => DOCUMENTS.includes(family));

/** Sentence, behind a space: the only document without a role, whatever its name. */
function onlyDocument({ columns }: CatalogTable, roles: Judgement["roles"]): string {
  const taken = Object.values(roles).map(({ name }) => name);
  const [only, ...others] = columns.filter(({ name, family }) => DOCUMENTS.includes(family) && !taken.includes(name));
  return only && others.length === 0 ? ` ${only.name} (${only.type}) may be it.` : "";
}

function whatIsMissing({ table, roles, other }: Findings): string {
  const looks = `${table.schema}.${table.name} looks like an outbox`;
  const direction = directionOf(table);
  if (direction && roles.payload) return everyRowOf(looks, direction);
  if (!roles.payload)
    return `${looks}: which column is the payload, or which table has it?${onlyDocument(table, roles)}`;
  if (isDoubtful(other, roles)) return `${looks}, or like ${other.what}: does a relay publish its rows?`;
  if (!roles.id) return `${looks}: which column identifies a message?${keyOf(table)}`;
  return `${looks}: which column marks a message as published?`;
}

const keyOf = ({ primaryKey }: CatalogTable) =>
  primaryKey.length > 0 ? ` Its primary key is (${primaryKey.join(", ")}).` : "";

const everyRowOf = (looks: string, { name }: CatalogColumn) =>
  `${looks}, and ${name} may say that some of its rows arrived: does a relay publish every row? The console cannot leave some out.`;

function whetherItIs(found: Findings, score: number): string | null {
  const { table, roles, hint, marks, describes } = found;
  if (hint.kind === "none") return whetherUnnamedIs(found, score);
  const name = `${table.schema}.${table.name}`;
  // Of a message that leaves, its mark is enough to ask; an event without a type may be anything.
  if (!describes && !(hint.kind === "outgoing" && marks)) return null;
  if (!marks && isNumberedByStream(table, roles)) return null;
  const direction = directionOf(table);
  if (direction) return everyRowOf(`${name} looks like an outbox`, direction);
  if (marks && saysInward(table.name))
    return `${name} looks like an outbox by its columns, and by its name its rows may have arrived: does a relay publish them?`;
  if (marks) return `${name} looks like an outbox: does a relay publish its rows?`;
  const mark = mayMark(table, roles);
  if (mark)
    return `${name} looks like an outbox: does a relay publish its rows, and does ${mark.name} say which it has published?`;
  const tried = roles.attempts ?? roles.lockedUntil ?? roles.lockedBy ?? roles.lastError;
  return tried
    ? `${name} looks like an outbox by its column ${tried.name}, and no column says which rows are published: does a relay delete them then?`
    : `${name} may be an outbox, or a store of events whose readers keep their own positions: which of them is it?`;
}

/** `publish_ind`, `process_flag`: to be sent, or sent. */
function mayMark(table: CatalogTable, roles: Judgement["roles"]): CatalogColumn | undefined {
  const taken = Object.values(roles).map(({ name }) => name);
  return table.columns.find(({ name }) => {
    return !taken.includes(name) && isSendName(plainName(table, name));
  });
}

/** Of a table whose name does not speak of events that leave. */
function whetherUnnamedIs({ table, roles, marks, describes }: Findings, score: number): string | null {
  const name = `${table.schema}.${table.name}`;
  const both = marks && isAboutMessages(table.name) ? directionOf(table) : undefined;
  if (both) return everyRowOf(`${name} looks like an outbox`, both);
  const isFull = marks && describes && (roles.aggregateId !== undefined || roles.topic !== undefined);
  const isSent = isAboutMessages(table.name) && describes && roles.publishedAt && saysSent(roles.publishedAt.name);
  const isLeaving = marks && describes && saysOutward(table.name);
  if (!marks && saysLeaving(table.name) && isOfBroker(table, roles))
    return `${name} looks like an outbox by its columns, and none says which rows are published: does a relay delete them then?`;
  return (isFull && score >= 50) || isSent || isLeaving || (marks && isRetried(table, roles))
    ? `${name} looks like an outbox by its columns: does a relay publish its rows?`
    : null;
}

/** `kafka_topic` with `kafka_value`: what a program hands to a broker, or has from it. */
function isOfBroker(table: CatalogTable, { topic, payload, aggregateId, headers }: Judgement["roles"]): boolean {
  if (!topic || !payload || !(aggregateId ?? headers)) return false;
  return [topic, payload].some(({ name }) => hasConcept(wordsOf(plainName(table, name)), "broker"));
}

/** `mq_record` with attempts and a next one: a broker's messages, which somebody sends again. */
const isRetried = (table: CatalogTable, { attempts, availableAt }: Judgement["roles"]) =>
  attempts !== undefined && availableAt !== undefined && hasConcept(wordsOf(table.name), "broker");

const isAboutMessages = (name: string) => hasConcept(wordsOf(name), "message");
const saysSent = (name: string) => hasConcept(wordsOf(name), "published") || hasConcept(wordsOf(name), "sent");

/** A unique number within each stream is the version that an event store checks when it appends. */
function isNumberedByStream(
  { primaryKey, uniqueKeys, columns }: CatalogTable,
  { aggregateId }: Judgement["roles"],
): boolean {
  const isNumber = (name: string) => columns.some((one) => one.name === name && NUMBERS.includes(one.family));
  return [primaryKey, ...uniqueKeys].some(
    (key) => key.length > 1 && key.includes(aggregateId?.name ?? "") && key.some(isNumber),
  );
}

const NUMBERS: readonly CatalogColumn["family"][] = ["smallint", "integer", "bigint", "decimal"];

interface Weight {
  points: number;
  text: string;
}

function weigh(found: Findings): Weight[] {
  const { table, roles, hint, other } = found;
  const named = (role: ColumnRole) => roles[role]?.name ?? "";
  const of = (role: ColumnRole, points: number, text: string): Weight[] =>
    roles[role] ? [{ points, text: `${named(role)} ${text}.` }] : [];
  const against = other.score > 0 && other.columns.length > 0;
  const received = hint.kind === "outbox" ? undefined : receivedBy(table);
  return [
    ...(hint.points > 0 ? [{ points: hint.points, text: `The name ${table.name} ${hint.says}.` }] : []),
    ...of("payload", 15, `can be the payload (${roles.payload?.type ?? ""})`),
    ...of("publishedAt", 15, "can say that a message was published"),
    ...of("status", 15, "can be the status"),
    ...indexEvidence(table, roles),
    ...of("eventType", 8, "can be the event type"),
    ...of("topic", 6, "can be the topic"),
    ...of("aggregateId", 8, "can be the aggregate's id"),
    ...of("aggregateType", 4, "can be the aggregate's type"),
    ...of("attempts", 4, "can count attempts"),
    ...of("lastError", 3, "can be the last error"),
    ...of("availableAt", 3, "can be the time of the next attempt"),
    ...of("lockedUntil", 3, "can be the end of a claim"),
    ...of("createdAt", 4, "can be the creation time"),
    ...(received ? [{ points: -10, text: `${received.name} says that its rows were received.` }] : []),
    ...(against ? [{ points: -8 * other.score, text: `${other.columns.join(", ")} would suit ${other.what}.` }] : []),
  ];
}

function indexEvidence(table: CatalogTable, { publishedAt, status }: Judgement["roles"]): Weight[] {
  const { nulls, falses, words } = indexHintsOf(table);
  if (publishedAt && (nulls.has(publishedAt.name) || falses.has(publishedAt.name))) {
    return [{ points: 12, text: `An index covers only rows in which ${publishedAt.name} is not set.` }];
  }
  const indexed = status ? words.get(status.name) : undefined;
  return status && indexed
    ? [{ points: 12, text: `An index covers only rows whose ${status.name} is ${indexed.join(" or ")}.` }]
    : [];
}

function scoreOf(weights: readonly Weight[]): number {
  const sum = weights.reduce((total, { points }) => total + points, 0);
  return Math.max(0, Math.min(100, sum));
}
