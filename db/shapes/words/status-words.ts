import type { StatusList } from "../overrides.ts";
import { unaccented } from "./concepts.ts";
import { LANGUAGES, type Words } from "./status-vocabulary.ts";

const LISTS: readonly StatusList[] = ["pending", "inFlight", "failed", "published", "dead", "expired"];
const listed = (language: Words, list: StatusList) => (language[list] ?? "").split(" ").filter((word) => word !== "");
const spelt = (word: string) => [unaccented(word), word.replace(/[äöü]/g, (letter) => `${unaccented(letter)}e`)];

/** Letters and digits alone, of any script, without accents. */
const plain = (word: string) =>
  unaccented(word)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");

/** A word as its language inflects it, without accents and signs. */
const formsOf = (word: string, { ends = [] }: Words): string[] => {
  const end = ends.filter((one) => word.endsWith(one)).toSorted((one, other) => other.length - one.length)[0];
  const stem = end === undefined ? "" : word.slice(0, -end.length);
  return [word, ...(stem.length < 3 ? [] : ends.map((one) => stem + one))].map(plain);
};

/** Words that a language lists come before the inflected ones of others. */
const MEANINGS: ReadonlyMap<string, StatusList> = new Map(
  [(word: string, language: Words) => formsOf(word, language), (word: string) => [plain(word)]].flatMap((forms) =>
    LANGUAGES.toReversed().flatMap((language) =>
      LISTS.flatMap((list) =>
        listed(language, list)
          .flatMap(spelt)
          .flatMap((word) => forms(word, language))
          .map((word) => [word, list] as const),
      ),
    ),
  ),
);

/** What a status word means in any of the languages; undefined if it is not known. */
export function meaningOf(word: string): StatusList | undefined {
  const whole = MEANINGS.get(plain(word)) ?? (plain(word) === "ack" ? "published" : undefined);
  return whole ?? (isSpent(partsOf(word)) ? "dead" : (meaningOfParts(word) ?? meaningOfPhrase(word)));
}

/** `Aguardando envio`, `Error de envío`, `Sent successfully`: a word for the state, with what it is the state of. */
function meaningOfPhrase(word: string): StatusList | undefined {
  const text = allPartsOf(word).join(" ");
  const state = text.replace(OF_SENDING, "");
  const meant = state === text ? undefined : MEANINGS.get(plain(state));
  if (meant !== undefined) return UNFINISHED.includes(meant) ? meant : undefined;
  const sent = text.replace(WELL, "");
  return sent !== text && MEANINGS.get(plain(sent)) === "published" ? "published" : undefined;
}

const UNFINISHED: readonly StatusList[] = ["pending", "inFlight", "failed"];
const SENDING =
  "(?:envios?|envoi|invio|versand|senden|versenden|verzending|verzenden|wysylki|wysylania|wyslanie|publicacion|publicacao|publication|pubblicazione|publikacji|procesamiento|processamento)";
const OF_SENDING = new RegExp(
  `^${SENDING} | (?:(?:de|del|do|da|no|na|di|d|du|en|el|la|l|of|para|per|beim|bei|auf|bij) )*${SENDING}$`,
);
const WELL = /^(?:successfully|erfolgreich) | (?:successfully|(?:con|com) (?:exito|sucesso|successo)|avec succes)$/;

const HANDED_OVER = ["sent", "dispatched", "published", "relayed"];
const STARTED = ["started"];
const CONFIRMED = ["ack", "acked", "acknowledged", "confirmed", "delivered"];
/** Of a message that is sent after it, the step before that. */
const DONE = ["processed", "handled", "executed", "applied", "completed", "finished", "done"];
/** In the broker's queue, or in that of the relay. */
const QUEUED = ["queued", "enqueued", "inqueue", "encolado", "inwachtrij"];
/** `SENT_TO_KAFKA` is `sent`. */
const isOneOf = (words: readonly string[], word: string) =>
  words.includes(plain(word)) || words.includes(partsOf(word).join(""));

const STAGED = ["prepared", "prepare", "staged", "half", "tentative", "provisional", "uncommitted", "unconfirmed"];
const RELEASED =
  "confirmed committed released approved freigegeben genehmigt aprobado aprovado liberado approvato approuve goedgekeurd zatwierdzone".split(
    " ",
  );
/** Nobody sends it yet, or at all, whatever else its column has. */
const DRAFTS =
  "draft entwurf borrador rascunho bozza brouillon szkic taslak chernovik koncept 草稿 下書き 초안 hold on_hold held paused blocked suspended disabled inactive not_ready not_required not_needed not_applicable na"
    .split(" ")
    .map(plain);
const isStaged = (word: string) => STAGED.includes(plain(word));

/** A draft, or `PREPARED` beside `CONFIRMED`: a row that nobody sends before its producer has confirmed it. */
export function isHeldBack(word: string, others: readonly string[]): boolean {
  return DRAFTS.includes(plain(word)) || (isStaged(word) && others.some((other) => RELEASED.includes(plain(other))));
}

/**
 * What a word means beside the others of its column. With a word for a confirmed message, one that was sent may be on
 * its way still; beside one for a prepared message, a confirmed one may be what its producer has left to be sent; one
 * that was processed may be sent after that, as the order of the words shows; and what was started, queued or not sent
 * beside a word for what waits may be with the relay, with the broker or given up, unless a new row is called so. Their
 * meaning is not known. `ofNewRow`: by the default. `listed`: the others are in the order in which the table lists
 * them.
 */
export function meaningAmong(
  word: string,
  others: readonly string[],
  { ofNewRow, listed = false }: { ofNewRow?: string | undefined; listed?: boolean } = {},
): StatusList | undefined {
  if (RELEASED.includes(plain(word)) && others.some(isStaged)) return undefined;
  const isEarlier = (other: string) => plain(other) === "confirmed" && listed && isBefore(other, [word], others);
  const isConfirmed = others.some((other) => isOneOf(CONFIRMED, other) && !isEarlier(other));
  if (isConfirmed && isOneOf(HANDED_OVER, word)) return undefined;
  if (plain(word) === "confirmed" && isConfirmedFirst(word, others, listed)) return undefined;
  if (listed && isOneOf(DONE, word) && isBefore(word, HANDED_OVER, others)) return undefined;
  if (plain(word) === "terminal") return isEndOfFailures(others) ? "dead" : undefined;
  const isNew = ofNewRow !== undefined && plain(ofNewRow) === plain(word);
  if (isDeniedBy(word, others)) return "published";
  return !isNew && mayBeOver(word, others, ofNewRow) ? undefined : meaningOf(word);
}

/** `발송` beside `미발송`, `送信` beside `未送信`: a verb alone, which is done where its denial says that it is not yet. */
const isDeniedBy = (word: string, others: readonly string[]): boolean =>
  meaningOf(word) === undefined &&
  others.some(
    (other) => ["미", "未"].some((not) => plain(other) === plain(not + word)) && meaningOf(other) === "pending",
  );

/** `TERMINAL` beside words for sent and failed rows, and none for dead ones: what failed and is not tried again. */
const isEndOfFailures = (others: readonly string[]): boolean => {
  const meanings = others.map(meaningOf);
  return meanings.includes("published") && meanings.includes("failed") && !meanings.includes("dead");
};

/** By its producer, as the table has another word for what was done with it then. */
function isConfirmedFirst(word: string, others: readonly string[], listed: boolean): boolean {
  const done = others.filter((other) => other !== word && meaningOf(other) === "published");
  return done.some((other) =>
    isOneOf(HANDED_OVER, other) ? listed && isBefore(word, [other], others) : !isOneOf(CONFIRMED, other),
  );
}

const isBefore = (word: string, later: readonly string[], others: readonly string[]) =>
  others.some((other, place) => place > others.indexOf(word) && later.some((one) => isOneOf([plain(one)], other)));

/** What seems to wait, and is not what a new row has: a relay, a broker or nobody may have it. */
function mayBeOver(word: string, others: readonly string[], ofNewRow: string | undefined): boolean {
  const waits = (isSame: (other: string) => boolean) =>
    ofNewRow !== undefined || others.some((other) => !isSame(other) && meaningOf(other) === "pending");
  const isOf = (list: readonly string[]) => (other: string) => list.includes(plain(other));
  if (isOf(STARTED)(word)) return waits(isOf(STARTED));
  if (isDenied(word)) return waits(isDenied);
  const isSent = others.some((other) => meaningOf(other) === "published");
  return isOf(QUEUED)(word) && !isSent && waits(isOf(QUEUED));
}

/** `NOT_SENT`, `UNDELIVERED`: to be sent, or not to be sent at all. */
const isDenied = (word: string): boolean => {
  const parts = partsOf(word);
  return DENIED.test(plain(word)) || (parts.some((part) => NEGATIONS.includes(part)) && isNotYet(parts));
};
const DENIED =
  /^(un(sent|published|processed|dispatched|handled|versendet|gesendet|verarbeitet|bearbeitet)|(no|nao|non|sin|ne|niet|nicht)(enviad|envia|publicad|inviat|envoy|gesendet|verzonden|otpravlen)\w*|(ej|inte)skick\w+|oskick\w+|(ikke|u)sendt|ne(odeslan|odoslan|nadislan|vidpravlen)\w+|netrimis\w*|gonderilmedi|未(发送|发布|送信|処理|配信|発行)|미(발송|전송|처리|발행))$/;

const NEGATIONS = ["not", "no", "non", "nicht", "nao", "un", "yet"];
const FINAL = ["permanently", "permanent", "finally", "fatal", "dead", "max", "endgueltig", "endgultig"];
const FOR_NOW = ["temporarily", "temporary", "transient", "temp"];
const FAILING: readonly StatusList[] = ["failed", "dead"];

/** Words that are put together: `PUBLISH_FAILED`, `NOT_YET_SENT`, `EVENT_PUBLISHED`, `SENT_OK`. */
function meaningOfParts(word: string): StatusList | undefined {
  const parts = partsOf(word);
  if (isToBe(word))
    return parts.every((part) => ["published", "pending"].includes(MEANINGS.get(part) ?? "") || isVerb(part))
      ? "pending"
      : undefined;
  const meanings = [...new Set(parts.flatMap((part) => MEANINGS.get(part) ?? []))];
  const isKnown = (part: string) => MEANINGS.has(part) || NEGATIONS.includes(part) || FINAL.includes(part);
  const unsure = parts.filter((part) => !isKnown(part));
  if (parts.some((part) => FOR_NOW.includes(part)) && meanings.join() === "failed") return "failed";
  if (parts.some((part) => FINAL.includes(part)) && meanings.some((meaning) => FAILING.includes(meaning)))
    return isOver(parts) ? "dead" : undefined;
  if (parts.some((part) => NEGATIONS.includes(part))) return isNotYet(parts) ? "pending" : undefined;
  if (meanings.includes("dead")) return isOver(parts) ? "dead" : undefined;
  if (meanings.includes("failed")) return hasFailed(parts, meanings) ? "failed" : undefined;
  return isOnlyThat(meanings, parts, unsure) ? meanings[0] : undefined;
}

/** `READY_TO_SEND`, and not `PENDING_DELIVERY`, which the broker may have; `SEND_SUCCESS`, and not `RELAY_DONE`. */
function isOnlyThat(meanings: readonly StatusList[], parts: readonly string[], unsure: readonly string[]): boolean {
  if (meanings.length !== 1 || unsure.length === 0) return meanings.length === 1;
  if (meanings[0] === "published")
    return unsure.every(isSending) && parts.every((part) => isSending(part) || isWell(part));
  return meanings[0] === "pending" && unsure.every((part) => isVerb(part) && !/^deliver/.test(part));
}

const isSending = (part: string) => /^(publish|send|dispatch|deliver|publication|sending)/.test(part);
const isWell = (part: string) => /^(ok|success|successful|succeeded)$/.test(part);

/** `MAX_RETRIES_EXCEEDED`, `RETRY_LIMIT_REACHED`: no attempt is left. */
const isSpent = (parts: readonly string[]) =>
  parts.some((part) => /^(retry|retries|attempts?|tries|(re)?intentos|tentativ[aei]s?|versuche|essais)$/.test(part)) &&
  parts.some((part) => /^(exceeded|exhausted|reached|spent|agotad\w+|esgotad\w+|epuise\w+|esauriti)$/.test(part)) &&
  parts.every((part) => !NEGATIONS.includes(part));

/** `PUBLISH_FAILED`, and neither `RETRY_SUCCEEDED` nor `RETRY_PROCESSING`, which are of the attempt after a failure. */
function hasFailed(parts: readonly string[], meanings: readonly StatusList[]): boolean {
  const isOfRetry = parts[0] === "retry" && (meanings.includes("published") || meanings.includes("inFlight"));
  // `ERROR_HANDLED` says what became of the failure.
  const isSettled = meanings[0] === "failed" && parts.some((part) => DONE.includes(part));
  return !isOfRetry && !isSettled && parts.every((part) => MEANINGS.has(part) || isVerb(part));
}

/**
 * `NOT_YET_SENT`, and neither `SENT_NOT_ACKED` nor `COMPLETED_NO_OP`, which say it of something else than the message.
 */
function isNotYet(parts: readonly string[]): boolean {
  const said = parts.filter((part) => !NEGATIONS.includes(part));
  const isDenied = parts[0] !== undefined && NEGATIONS.includes(parts[0]);
  return isDenied && said.some((part) => MEANINGS.get(part) === "published") && said.every(isSent);
}

const isSent = (part: string) => MEANINGS.get(part) === "published" || isVerb(part);

/** `DEAD_LETTER_QUEUE`, and neither `REQUEUED_FROM_DLQ` nor `DLQ_RESOLVED`. */
function isOver(parts: readonly string[]): boolean {
  return parts.every((part) => !BACK.test(part));
}

const BACK = /^(re(queue|play|driv|drove|solv|cover|stor|sent|submit|publish|process|open|viv)\w*|from|un\w+)$/;

/** `PENDING_APPROVAL`: what waits, and for something else than to be sent. */
export function waitsForElse(word: string): boolean {
  const parts = partsOf(word);
  if (isToBe(word)) return true;
  const isKnown = (part: string) => MEANINGS.has(part) || NEGATIONS.includes(part) || isVerb(part);
  return parts.some((part) => MEANINGS.get(part) === "pending") && !parts.every(isKnown);
}

/** `TO_BE_SENT`, `TO_PUBLISH`: it is still to happen. */
const isToBe = (word: string) => /^to |\bto be /.test(`${allPartsOf(word).join(" ")} `);

function allPartsOf(word: string): string[] {
  return unaccented(word)
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
}

/** What was sent, and to which broker, says nothing of how far it is: `SENT_TO_KAFKA`. */
const UNSAID = "event message to be is was for broker kafka rabbitmq rabbit nats pulsar sns sqs bus".split(" ");

function partsOf(word: string): string[] {
  // `1 - PENDING`.
  const parts = allPartsOf(word).filter((part) => part !== "" && !UNSAID.includes(part));
  return parts.length > 1 && /^\d+$/.test(parts[0] ?? "") ? parts.slice(1) : parts;
}

const isVerb = (part: string) =>
  /^(publish|send|dispatch|deliver|process|delivery|publication|sending|relay)/.test(part);

/**
 * The usual words for a free-text status, in upper, lower and mixed case; other words stay unknown until mapped. Those
 * of another language only where a word of it is seen.
 */
export function usualWords(seen: readonly string[]): string[] {
  const plainly = seen.map(plain).filter((word) => !ENGLISH?.plain.has(word));
  const spoken = OTHERS.filter((language) => plainly.some((word) => language.plain.has(word)));
  return [...new Set([...(ENGLISH ? [ENGLISH] : []), ...spoken].flatMap(({ spellings }) => spellings))];
}

function pascal(word: string): string {
  return word.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

interface Spoken {
  /** Its words without accents and signs. */
  plain: ReadonlySet<string>;
  /** In upper, lower and mixed case. */
  spellings: readonly string[];
}

function spokenIn(language: Words): Spoken {
  const words = LISTS.flatMap((list) => listed(language, list).flatMap(spelt));
  return {
    plain: new Set(words.flatMap((word) => formsOf(word, language))),
    spellings: words.flatMap((word) => [word.toUpperCase(), word, pascal(word)]),
  };
}

const [ENGLISH, ...OTHERS] = LANGUAGES.map(spokenIn);

const FLAG_WORDS: readonly [StatusList, readonly string[]][] = [
  ["published", ["1", "y", "yes", "t", "true", "s", "si", "sim", "j", "ja", "o", "oui"]],
  ["pending", ["0", "n", "no", "f", "false", "nao", "nein", "non"]],
];

/** The words of a flag in upper, lower and mixed case. */
export const FLAG_LETTERS: readonly string[] = [
  ...new Set(FLAG_WORDS.flatMap(([, words]) => words.flatMap((word) => [word.toUpperCase(), word, pascal(word)]))),
];

/** Those that say no, and a text of nothing. */
export const NO_LETTERS: readonly string[] = [
  "",
  " ",
  ...FLAG_LETTERS.filter((word) => meaningOfFlag(word) === "pending"),
];

/** What a word means in a column whose name is a flag's, such as `processed`. */
export function meaningOfFlag(word: string): StatusList | undefined {
  return FLAG_WORDS.find(([, words]) => words.includes(unaccented(word).toLowerCase()))?.[0];
}
