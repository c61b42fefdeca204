import { describe, expect, test } from "vitest";
import { meaningAmong, meaningOf } from "./status-words.ts";

describe("a status word that is put together", () => {
  test.each([
    ["NOT_SENT", "pending"],
    ["NOT_YET_PUBLISHED", "pending"],
    ["EVENT_NOT_SENT", "pending"],
    ["noPublicado", "pending"],
    ["DEAD_LETTER_QUEUE", "dead"],
    ["MOVED_TO_DLQ", "dead"],
    ["RETRY_EXHAUSTED", "dead"],
    ["PERMANENTLY_FAILED", "dead"],
    ["FAILED_RETRY", "failed"],
    ["PENDING_RETRY", "failed"],
    ["RETRY_PENDING", "failed"],
    ["RETRY_FAILED", "failed"],
    ["PUBLISH_FAILED", "failed"],
    ["PROCESSING_FAILED", "failed"],
    ["SENT_OK", "published"],
    ["READY_TO_SEND", "pending"],
    ["WAITING_FOR_RELAY", "pending"],
    ["WAITING_TO_BE_SENT", "pending"],
    ["SENT_SUCCESSFULLY", "published"],
    ["TO_RETRY", "failed"],
    ["FAILED_FINAL", "dead"],
    ["WIP", "inFlight"],
    ["KO", "failed"],
    ["SYNCING", "inFlight"],
    ["重试中", "failed"],
    ["SEND_SUCCESS", "published"],
    ["PUBLISH_OK", "published"],
    ["PRODUCED", "published"],
    ["NOT_STARTED", "pending"],
    ["IN_QUEUE", "pending"],
    ["OUTSTANDING", "pending"],
    ["BEING_SENT", "inFlight"],
    ["ACQUIRED", "inFlight"],
    ["WORKING", "inFlight"],
    ["BACKOFF", "failed"],
    ["EXCEPTION", "failed"],
    ["NAK", "failed"],
    ["NeedsRetry", "failed"],
    ["SOFT_FAILED", "failed"],
    ["DROPPED", "dead"],
    ["NON_RETRYABLE", "dead"],
    ["MAX_RETRIES", "dead"],
    ["HARD_FAILED", "dead"],
    ["UNSENDABLE", "dead"],
    ["DLT", "dead"],
  ])("%s means %s", (word, meaning) => expect(meaningOf(word)).toBe(meaning));

  test.each([
    "PUBLISHED_NOT_ACKED",
    "SENT_NOT_CONFIRMED",
    "PROCESSED_NO_CHANGES",
    "COMPLETED_NO_OP",
    "SENT_NO_REPLY",
    "NO_CONSUMER_DELIVERED",
    "REQUEUED_FROM_DLQ",
    "DLQ_RESOLVED",
    "DEAD_LETTER_REPLAYED",
    "DEAD_RECOVERED",
    "RETRY_SUCCEEDED",
    "RETRY_SENT",
    "RETRY_PROCESSING",
    "PENDING_DELIVERY",
    "AWAITING_ACK",
    "FINAL_RETRY",
    "PROCESSED_NO_ENVIO",
    "RELAY_DONE",
    "SEND_ACCEPTED",
    "DUPLICATE",
    "UNCERTAIN",
    "TIMEOUT",
    "RESEND",
    "TERMINAL",
    "ERROR_HANDLED",
    "EXCEPTION_HANDLED",
  ])("%s is not known", (word) => expect(meaningOf(word)).toBeUndefined());
});

describe("a status word of another language", () => {
  test.each([
    ["ENVIADA", "published"],
    ["Publicados", "published"],
    ["FALLIDA", "failed"],
    ["Descartada", "dead"],
    ["Inviata", "published"],
    ["Envoyée", "published"],
    ["Odeslána", "published"],
    ["Skickat", "published"],
    ["Misslyckades", "failed"],
    ["Sendt", "published"],
    ["Fejlet", "failed"],
    ["Feldolgozva", "published"],
    ["Trimis", "published"],
    ["Надіслано", "published"],
    ["Помилка", "failed"],
    ["Odoslané", "published"],
  ])("has its inflected forms: %s means %s", (word, meaning) => expect(meaningOf(word)).toBe(meaning));

  test.each([
    ["Błąd", "failed"],
    ["Wysłano", "published"],
    ["Yayınlandı", "published"],
  ])("is read without its accents: %s means %s", (word, meaning) => expect(meaningOf(word)).toBe(meaning));

  test.each([
    ["Aguardando envio", "pending"],
    ["Pendiente de envío", "pending"],
    ["wartend auf Versand", "pending"],
    ["en cours d'envoi", "inFlight"],
    ["Erro no envio", "failed"],
    ["Error en el envío", "failed"],
    ["Fehler beim Senden", "failed"],
    ["Invio fallito", "failed"],
    ["Enviado con éxito", "published"],
    ["Intentos agotados", "dead"],
    ["Fallo definitivo", "dead"],
  ])("may say what it is of: %s means %s", (word, meaning) => expect(meaningOf(word)).toBe(meaning));

  test.each(["Pendiente de entrega", "Pendiente de aprobación", "Envío cancelado", "No enviar", "Anulada"])(
    "%s is not known",
    (word) => expect(meaningOf(word)).toBeUndefined(),
  );
});

describe("TERMINAL", () => {
  test.each([
    [["NEW", "SENT", "FAILED", "TERMINAL"], "dead"],
    [["NEW", "SENT", "TERMINAL"], undefined],
    [["NEW", "FAILED", "TERMINAL"], undefined],
    [["NEW", "SENT", "FAILED", "DEAD", "TERMINAL"], undefined],
  ])("among %s means %s", (words, meaning) => expect(meaningAmong("TERMINAL", words)).toBe(meaning));
});

describe("a verb beside its denial", () => {
  test.each([
    ["발송", ["미발송", "발송"], "published"],
    ["送信", ["未送信", "送信"], "published"],
    ["발송", ["대기", "발송"], undefined],
    ["미발송", ["미발송", "발송"], "pending"],
  ])("%s among %s means %s", (word, words, meaning) => expect(meaningAmong(word, words)).toBe(meaning));
});
