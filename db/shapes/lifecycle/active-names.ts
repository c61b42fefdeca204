import { wordsOf } from "../words/name-words.ts";

/** The name of a flag that a row has while it may be sent. */
export const isActiveName = (name: string) =>
  /^(is|should|can|may|allow|ind|kz|flag)?(active|enabled|valid|use|usable|visible|aktif|gueltig|gultig|aktywny|aktywne|wazny|live|retry|retryable|retriable|sendable|publishable|deliverable|send|publish|dispatch|eligible|aktiv|activo|activa|ativo|ativa|attivo|attiva|actif|vigente|habilitado|valido|ready|readyto(send|publish|dispatch)|bereit|listo|lista|pronto|pronta|pret|gotowe)(flag|yn|ind|kz)?$/.test(
    joined(name),
  );

/**
 * The name of a flag that a row gets before it is sent: `ready`. `active DEFAULT false` may as well be true of one that
 * is being sent.
 */
export const isAwaitedName = (name: string): boolean =>
  /^(is|should|can|may|allow|ind|kz|flag)?(sendable|publishable|deliverable|send|publish|dispatch|eligible|ready|readyto(send|publish|dispatch)|bereit|listo|lista|pronto|pronta|pret|gotowe)(flag|yn|ind|kz)?$/.test(
    joined(name),
  );

/** What every program gives a new row, whether or not the database has it as a default. */
const ALIVE =
  /^(is)?(active|enabled|valid|live|aktiv|aktif|activo|activa|ativo|ativa|attivo|attiva|actif|vigente|habilitado)$/;
const joined = (name: string) =>
  wordsOf(name)
    .map(({ text }) => text)
    .join("");

/** A name by which a row without it is not sent, whatever else. */
export const isAliveName = (name: string): boolean => ALIVE.test(joined(name));

/** `can_retry`, which a row gets when an attempt has failed. */
export const isRetriedName = (name: string): boolean =>
  /^(is|can|should|may|allow)?(retry|retryable|retriable)$/.test(joined(name));

/** `max_attempts_reached`, `no_more_retries`: a row that has it is not tried again. */
export const isSpentName = (name: string): boolean =>
  /^(is|has|was)?((max|maximum)?(attempts?|retry|retries|tries)(count|limit|max)?(reached|exceeded|spent|usedup)|(nomore|outof)(attempts|retries|tries)(left)?)(at|on)?$/.test(
    joined(name),
  );
