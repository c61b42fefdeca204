import { formatCount } from "#domain/format.ts";
import { MOST_CHARACTERS } from "./bounds.ts";
import { Unreadable } from "./layer.ts";

/** Counts characters that a reader keeps: formats that refer to earlier texts make long content of few bytes. */
export class CharacterBudget {
  #left = MOST_CHARACTERS;

  /** Throws: Unreadable, past MOST_CHARACTERS. */
  spend(characters: number): void {
    this.#left -= characters;
    if (this.#left < 0)
      throw new Unreadable(`its names and texts are longer than ${formatCount(MOST_CHARACTERS)} characters.`);
  }
}
