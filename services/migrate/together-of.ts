import { ConfigError, isAppError } from "#domain/errors.ts";

/** A single failure unchanged; several with sentences as one, which has all of them. One without a sentence goes first. */
export function togetherOf(failures: readonly unknown[]): unknown {
  const unknown = failures.find((failure) => !hasSentence(failure));
  if (failures.length === 1 || unknown !== undefined) return unknown ?? failures[0];
  return new ConfigError(failures.filter(hasSentence).map(({ message }) => message));
}

function hasSentence(failure: unknown): failure is Error {
  return isAppError(failure) || failure instanceof ConfigError;
}
