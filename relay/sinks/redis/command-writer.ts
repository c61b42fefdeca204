type Word = string | Buffer;

const FIRST_BYTES = 16 * 1024;
const SHORT = 64 * 1024;

/** Encodes Redis commands (RESP2) one after another into one buffer, so that one write sends them all. */
export class CommandWriter {
  #bytes = Buffer.allocUnsafe(FIRST_BYTES);
  #at = 0;

  command(words: readonly Word[]): this {
    // Lengths are in bytes. Most texts are ASCII, one byte per character, which the encoding shows afterwards.
    const text = textOf(words);
    if (text !== null) {
      const written = this.#write(text);
      if (written === text.length) return this;
      this.#at -= written;
    }
    this.#write(`*${words.length}\r\n`);
    for (const word of words) {
      this.#write(`$${Buffer.byteLength(word)}\r\n`);
      this.#write(word);
      this.#write("\r\n");
    }
    return this;
  }

  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#at);
  }

  #write(word: Word): number {
    this.#reserve(typeof word === "string" && word.length < SHORT ? word.length * 3 : Buffer.byteLength(word));
    const written =
      typeof word === "string" ? this.#bytes.write(word, this.#at, "utf8") : word.copy(this.#bytes, this.#at);
    this.#at += written;
    return written;
  }

  #reserve(count: number): void {
    if (this.#at + count <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe((this.#at + count) * 2);
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
  }
}

/** The command as one string with lengths in characters, correct only for ASCII; null if a word is bytes. */
function textOf(words: readonly Word[]): string | null {
  let text = `*${words.length}\r\n`;
  for (const word of words) {
    if (typeof word !== "string") return null;
    text += `$${word.length}\r\n${word}\r\n`;
  }
  return text;
}
