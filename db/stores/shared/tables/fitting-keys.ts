import type { OutboxMapping } from "../../port/mapping.ts";
import { decodeMessageId } from "../../port/message-id.ts";

type Keyed = Pick<OutboxMapping, "primaryKey">;

/** Reads the keys of ids. `fitsType`: whether a text can be a value of one of the engine's types. */
export function fittingKeys(fitsType: (text: string, type: string) => boolean) {
  const fits = ({ primaryKey }: Keyed, values: readonly string[]) =>
    values.every((value, index) => fitsType(value, primaryKey[index]?.type ?? "text"));

  /**
   * The key of an id as parameters for `keyMatch`; undefined if no row can have it. Throws not_found for a malformed
   * id.
   */
  function keyArrays(mapping: Keyed, id: string): string[][] | undefined {
    const values = decodeMessageId(id, mapping.primaryKey.length);
    return fits(mapping, values) ? values.map((value) => [value]) : undefined;
  }

  /** The keys of ids; an id that no row can have is left out. */
  function keysOf(mapping: Keyed, ids: readonly string[]): string[][] {
    return ids.flatMap((id) => {
      const key = decodedKey(id, mapping.primaryKey.length);
      return key && fits(mapping, key) ? [key] : [];
    });
  }

  return { keyArrays, keysOf };
}

/** Null for a malformed id. */
function decodedKey(id: string, length: number): string[] | null {
  try {
    return decodeMessageId(id, length);
  } catch {
    return null;
  }
}
