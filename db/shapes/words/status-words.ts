import type { StatusList } from "../overrides.ts";
import { unaccented } from "./concepts.ts";

type Words = Record<Exclude<StatusList, "expired">, string> & { expired?: string };

/** Usual words of a status by language, in lower case with underscores. The first of a list is the usual one. */
const LANGUAGES: readonly Words[] = [
  {
    pending:
      "pending new created queued ready scheduled started not_published not_sent not_processed wait waiting open unpublished unprocessed unsent todo enqueued available init initial",
    inFlight:
      "processing in_progress in_process in_flight publishing delivering sending running active claimed dispatching locked reserved leased",
    published:
      "published sent processed completed complete delivered done succeeded success successful dispatched ok finished relayed acked acknowledged confirmed",
    failed: "failed fail error errored err retry retrying retryable failure nacked",
    dead: "dead dead_letter dead_lettered dlq abandoned poisoned poison discarded exhausted permanently_failed failed_permanently permanent_failure permanent_error fatal parked gave_up given_up undeliverable buried quarantined",
    expired: "expired",
  },
  {
    pending:
      "pendiente nuevo creado encolado listo programado espera en_espera por_enviar sin_enviar no_enviado no_publicado",
    inFlight: "procesando en_proceso en_curso enviando publicando",
    published: "publicado enviado procesado completado entregado despachado emitido transmitido",
    failed: "fallido fallo con_error reintento reintentando",
    dead: "muerto descartado abandonado",
    expired: "expirado vencido caducado",
  },
  {
    pending: "pendente novo criado aguardando em_espera agendado nao_enviado nao_publicado a_enviar",
    inFlight: "processando em_processamento em_andamento enviando publicando",
    published: "publicado enviado processado concluido entregue emitido transmitido",
    failed: "falha falhou falhado erro com_erro retentativa",
    dead: "morto descartado abandonado",
    expired: "expirado vencido",
  },
  {
    pending: "in_attesa da_inviare da_pubblicare nuovo creato pendente pronto non_inviato",
    inFlight: "in_elaborazione in_corso in_invio",
    published: "pubblicato inviato elaborato completato consegnato spedito trasmesso emesso",
    failed: "fallito errore in_errore",
    dead: "morto scartato abbandonato",
    expired: "scaduto",
  },
  {
    pending: "offen neu wartend ausstehend erstellt bereit geplant nicht_gesendet",
    inFlight: "in_bearbeitung in_verarbeitung läuft wird_gesendet in_arbeit",
    published:
      "veröffentlicht gesendet versendet versandt verarbeitet erledigt zugestellt abgeschlossen übermittelt übertragen",
    failed: "fehlgeschlagen fehler fehlerhaft wiederholung",
    dead: "tot verworfen aufgegeben endgültig_fehlgeschlagen",
    expired: "abgelaufen",
  },
  {
    pending: "en_attente nouveau cree à_publier à_envoyer planifie non_envoye",
    inFlight: "en_cours en_traitement",
    published: "publie envoye traite termine livre expedie transmis emis",
    failed: "echoue echec en_echec erreur en_erreur",
    dead: "mort abandonne rejete",
    expired: "expire",
  },
  {
    pending: "wachtend nieuw te_versturen te_verzenden in_wachtrij aangemaakt niet_verzonden",
    inFlight: "in_behandeling bezig in_verwerking",
    published: "verzonden verstuurd verwerkt gepubliceerd afgeleverd voltooid",
    failed: "mislukt fout",
    dead: "opgegeven",
    expired: "verlopen",
  },
  {
    pending: "nowe nowy oczekujace oczekuje do_wyslania utworzone",
    inFlight: "w_trakcie przetwarzane wysylane",
    published: "wyslane wyslano opublikowane przetworzone dostarczone",
    failed: "blad bledne nieudane",
    dead: "porzucone odrzucone",
    expired: "wygasle",
  },
];

const LISTS: readonly StatusList[] = ["pending", "inFlight", "failed", "published", "dead", "expired"];
const listed = (language: Words, list: StatusList) => (language[list] ?? "").split(" ").filter((word) => word !== "");
const spelt = (word: string) => [unaccented(word), word.replace(/[äöü]/g, (letter) => `${unaccented(letter)}e`)];

/** Letters and digits alone, without accents. */
const plain = (word: string) =>
  unaccented(word)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "");

const MEANINGS: ReadonlyMap<string, StatusList> = new Map(
  LANGUAGES.toReversed().flatMap((language) =>
    LISTS.flatMap((list) =>
      listed(language, list)
        .flatMap(spelt)
        .map((word) => [plain(word), list] as const),
    ),
  ),
);

/** What a status word means in any of the languages; undefined if it is not known. */
export function meaningOf(word: string): StatusList | undefined {
  return MEANINGS.get(plain(word)) ?? meaningOfParts(word);
}

const HANDED_OVER = ["sent", "dispatched", "published", "relayed"];
const STARTED = ["started"];
const CONFIRMED = ["acked", "acknowledged", "confirmed", "delivered"];

const STAGED = ["prepared", "prepare", "staged", "half", "tentative", "provisional", "uncommitted", "unconfirmed"];
const RELEASED = ["confirmed", "committed", "released", "approved"];
const isStaged = (word: string) => STAGED.includes(plain(word));

/** `PREPARED` beside `CONFIRMED`: a row that nobody sends before its producer has confirmed it. */
export function isHeldBack(word: string, others: readonly string[]): boolean {
  return isStaged(word) && others.some((other) => RELEASED.includes(plain(other)));
}

/**
 * What a word means beside the others of its column. With a word for a confirmed message, one that was sent may be on its
 * way still; beside one for a prepared message, a confirmed one may be what its producer has left to be sent; and what was
 * started beside a word for what waits may be with the relay, unless a new row is called so. Their meaning is not known.
 */
export function meaningAmong(word: string, others: readonly string[], ofNewRow?: string): StatusList | undefined {
  if (RELEASED.includes(plain(word)) && others.some(isStaged)) return undefined;
  const isConfirmed = others.some((other) => CONFIRMED.includes(plain(other)));
  if (isConfirmed && HANDED_OVER.includes(plain(word))) return undefined;
  const isNew = ofNewRow !== undefined && plain(ofNewRow) === plain(word);
  const isBegun = STARTED.includes(plain(word)) && !isNew;
  const waits = others.some((other) => !STARTED.includes(plain(other)) && meaningOf(other) === "pending");
  return isBegun && waits ? undefined : meaningOf(word);
}

const NEGATIONS = ["not", "no", "non", "nicht", "nao", "un", "yet"];
const FINAL = ["permanently", "permanent", "finally", "fatal", "dead", "max", "endgueltig", "endgultig"];
const FOR_NOW = ["temporarily", "temporary", "transient", "temp"];
const FAILING: readonly StatusList[] = ["failed", "dead"];

/** Words that are put together: `PUBLISH_FAILED`, `NOT_YET_SENT`, `EVENT_PUBLISHED`, `SENT_OK`. */
function meaningOfParts(word: string): StatusList | undefined {
  const parts = partsOf(word);
  if (isToBe(word))
    return parts.every((part) => MEANINGS.get(part) === "published" || isVerb(part)) ? "pending" : undefined;
  const meanings = [...new Set(parts.flatMap((part) => MEANINGS.get(part) ?? []))];
  const known = parts.filter((part) => MEANINGS.has(part) || NEGATIONS.includes(part) || FINAL.includes(part));
  const unsure = parts.length - known.length;
  if (parts.some((part) => FOR_NOW.includes(part)) && meanings.join() === "failed") return "failed";
  if (parts.some((part) => FINAL.includes(part)) && meanings.some((meaning) => FAILING.includes(meaning)))
    return isOver(parts) ? "dead" : undefined;
  if (parts.some((part) => NEGATIONS.includes(part))) return isNotYet(parts) ? "pending" : undefined;
  if (meanings.includes("dead")) return isOver(parts) ? "dead" : undefined;
  if (meanings.includes("failed")) return hasFailed(parts, meanings) ? "failed" : undefined;
  return meanings.length === 1 && unsure === 0 ? meanings[0] : undefined;
}

/** `PUBLISH_FAILED`, and neither `RETRY_SUCCEEDED` nor `RETRY_PROCESSING`, which are of the attempt after a failure. */
function hasFailed(parts: readonly string[], meanings: readonly StatusList[]): boolean {
  const isOfRetry = parts[0] === "retry" && (meanings.includes("published") || meanings.includes("inFlight"));
  return !isOfRetry && parts.every((part) => MEANINGS.has(part) || isVerb(part));
}

/** `NOT_YET_SENT`, and neither `SENT_NOT_ACKED` nor `COMPLETED_NO_OP`, which say it of something else than the message. */
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

function partsOf(word: string): string[] {
  return allPartsOf(word).filter(
    (part) => part !== "" && !["event", "message", "to", "be", "is", "was", "for"].includes(part),
  );
}

const isVerb = (part: string) =>
  /^(publish|send|dispatch|deliver|process|delivery|publication|sending|relay)/.test(part);

/**
 * The usual words for a free-text status, in upper, lower and mixed case; other words stay unknown until mapped. Those
 * of another language only where a word of it is seen.
 */
export function usualWords(seen: readonly string[]): string[] {
  const [english, ...others] = LANGUAGES;
  const spoken = others.filter((language) => LISTS.some((list) => seen.some((word) => isOf(language, list, word))));
  const languages = english ? [english, ...spoken] : spoken;
  const words = languages.flatMap((language) => LISTS.flatMap((list) => listed(language, list).flatMap(spelt)));
  return [...new Set(words)].flatMap((word) => [word.toUpperCase(), word, pascal(word)]);
}

function isOf(language: Words, list: StatusList, word: string): boolean {
  const isEnglish = LANGUAGES[0] !== undefined && LISTS.some((each) => english(each).includes(plain(word)));
  return !isEnglish && listed(language, list).flatMap(spelt).map(plain).includes(plain(word));
}

const english = (list: StatusList) => (LANGUAGES[0] ? listed(LANGUAGES[0], list).map(plain) : []);

function pascal(word: string): string {
  return word.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

const FLAG_WORDS: readonly [StatusList, readonly string[]][] = [
  ["published", ["1", "y", "yes", "t", "true", "s", "si", "sim", "j", "ja", "o", "oui"]],
  ["pending", ["0", "n", "no", "f", "false", "nao", "nein", "non"]],
];

/** The words of a flag in upper, lower and mixed case. */
export const FLAG_LETTERS: readonly string[] = [
  ...new Set(FLAG_WORDS.flatMap(([, words]) => words.flatMap((word) => [word.toUpperCase(), word, pascal(word)]))),
];

/** What a word means in a column whose name is a flag's, such as `processed`. */
export function meaningOfFlag(word: string): StatusList | undefined {
  return FLAG_WORDS.find(([, words]) => words.includes(unaccented(word).toLowerCase()))?.[0];
}
