import type { StatusList } from "../overrides.ts";
import { unaccented } from "./concepts.ts";

type Words = Record<Exclude<StatusList, "expired">, string> & { expired?: string };

/** Usual words of a status by language, in lower case with underscores. The first of a list is the usual one. */
const LANGUAGES: readonly Words[] = [
  {
    pending:
      "pending new created queued ready scheduled started not_published not_sent not_processed wait waiting awaiting open unpublished unprocessed unsent todo enqueued available init initial",
    inFlight:
      "processing in_progress in_process in_flight publishing delivering sending running active claimed dispatching locked reserved leased executing handling picked picked_up in_transit transmitting forwarding consuming",
    published:
      "published sent processed completed complete delivered done succeeded success successful dispatched ok finished relayed acked acknowledged confirmed handled consumed applied executed transmitted forwarded emitted synced",
    failed: "failed fail error errored err retry retrying retryable failure nacked nack faulted unsuccessful",
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
    pending:
      "offen neu wartend ausstehend erstellt bereit geplant nicht_gesendet unverarbeitet unversendet ungesendet unbearbeitet",
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
  {
    pending: "bekliyor beklemede yeni gonderilecek gonderilmedi hazir",
    inFlight: "gonderiliyor isleniyor",
    published: "gonderildi yayinlandi islendi iletildi tamamlandi",
    failed: "hata hatali basarisiz",
    dead: "vazgecildi",
    expired: "suresi_doldu",
  },
  {
    pending: "novoe novyj novyy novyi ozhidaet ozhidanie v_ocheredi ne_otpravleno",
    inFlight: "otpravlyaetsya v_obrabotke obrabatyvaetsya",
    published: "otpravleno otpravlen obrabotano obrabotan opublikovano opublikovan dostavleno",
    failed: "oshibka neudacha",
    dead: "otbrosheno",
    expired: "isteklo",
  },
  {
    pending: "nova ceka cekajici k_odeslani neodeslano",
    inFlight: "zpracovava_se odesila_se",
    published: "odeslano zpracovano publikovano doruceno dokonceno",
    failed: "chyba selhalo neuspesne",
    dead: "zahozeno",
    expired: "vyprselo",
  },
  {
    pending:
      "待发送 待发布 待处理 待投递 待推送 未发送 未发布 未处理 新建 初始 初始化 等待 等待发送 未送信 送信待ち 未処理 대기 대기중 미발송 미전송 미처리",
    inFlight: "发送中 处理中 投递中 发布中 推送中 执行中 送信中 処理中 전송중 발송중 처리중",
    published:
      "已发送 已发布 已处理 已投递 已推送 已完成 发送成功 发布成功 处理成功 投递成功 推送成功 成功 完成 送信済 送信済み 送信完了 処理済 処理済み 完了 전송완료 발송완료 처리완료 완료 성공",
    failed:
      "失败 发送失败 发布失败 处理失败 投递失败 推送失败 送信失敗 処理失敗 失敗 エラー 실패 전송실패 발송실패 오류",
    dead: "死信 已放弃 最终失败 已丢弃",
    expired: "已过期 过期 期限切れ 만료",
  },
];

const LISTS: readonly StatusList[] = ["pending", "inFlight", "failed", "published", "dead", "expired"];
const listed = (language: Words, list: StatusList) => (language[list] ?? "").split(" ").filter((word) => word !== "");
const spelt = (word: string) => [unaccented(word), word.replace(/[äöü]/g, (letter) => `${unaccented(letter)}e`)];

/** Letters and digits alone, of any script, without accents. */
const plain = (word: string) =>
  unaccented(word)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");

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
  return MEANINGS.get(plain(word)) ?? (isSpent(partsOf(word)) ? "dead" : meaningOfParts(word));
}

const HANDED_OVER = ["sent", "dispatched", "published", "relayed"];
const STARTED = ["started"];
const CONFIRMED = ["acked", "acknowledged", "confirmed", "delivered"];

const STAGED = ["prepared", "prepare", "staged", "half", "tentative", "provisional", "uncommitted", "unconfirmed"];
const RELEASED =
  "confirmed committed released approved freigegeben genehmigt aprobado aprovado liberado approvato approuve goedgekeurd zatwierdzone".split(
    " ",
  );
/** Nobody sends it yet, whatever else its column has. */
const DRAFTS = "draft entwurf borrador rascunho bozza brouillon szkic taslak chernovik koncept 草稿 下書き 초안"
  .split(" ")
  .map(plain);
const isStaged = (word: string) => STAGED.includes(plain(word));

/** A draft, or `PREPARED` beside `CONFIRMED`: a row that nobody sends before its producer has confirmed it. */
export function isHeldBack(word: string, others: readonly string[]): boolean {
  return DRAFTS.includes(plain(word)) || (isStaged(word) && others.some((other) => RELEASED.includes(plain(other))));
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

/** `MAX_RETRIES_EXCEEDED`, `RETRY_LIMIT_REACHED`: no attempt is left. */
const isSpent = (parts: readonly string[]) =>
  parts.some((part) => /^(retry|retries|attempts?|tries)$/.test(part)) &&
  parts.some((part) => /^(exceeded|exhausted|reached|spent)$/.test(part)) &&
  parts.every((part) => !NEGATIONS.includes(part));

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

/** What was sent, and to which broker, says nothing of how far it is: `SENT_TO_KAFKA`. */
const UNSAID = "event message to be is was for broker kafka rabbitmq rabbit nats pulsar sns sqs bus".split(" ");

function partsOf(word: string): string[] {
  return allPartsOf(word).filter((part) => part !== "" && !UNSAID.includes(part));
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
    plain: new Set(words.map(plain)),
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

/** What a word means in a column whose name is a flag's, such as `processed`. */
export function meaningOfFlag(word: string): StatusList | undefined {
  return FLAG_WORDS.find(([, words]) => words.includes(unaccented(word).toLowerCase()))?.[0];
}
