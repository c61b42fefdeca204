import type { PayloadNode } from "#contracts/message/payloads.ts";
import { ByteReader } from "../byte-reader.ts";
import { Unreadable } from "../layer.ts";
import { NodeCollector } from "../nodes.ts";
import { isPrintable } from "./text.ts";

const CLASS_DESCRIPTION = 0x72;
const STRING = 0x74;
const CLASS_NAME = /^[\p{L}_$][\p{L}\p{N}_$]*(\.[\p{L}_$][\p{L}\p{N}_$]*)*;?$|^\[+([BCDFIJSZ]$|L[^;]+;$)/u;
const LONGEST_CLASS_NAME = 500;
/** Most bytes read for marks that announce nothing to list; each may seem to announce 65 kB. */
const MOST_VAIN_BYTES = 20_000_000;

/**
 * A Java serialisation stream: the class names and texts that its marks announce, found by a scan. No class is looked
 * up or loaded. Throws Unreadable.
 */
export function readJava(bytes: Uint8Array): PayloadNode {
  const input = new ByteReader(bytes);
  if (input.uint32() !== 0xaced0005) throw new Unreadable("no Java stream");
  const classes: string[] = [];
  const texts: string[] = [];
  let vain = 0;
  while (input.left > 3) {
    const mark = input.uint8();
    if (mark !== CLASS_DESCRIPTION && mark !== STRING) continue;
    const text = announced(input);
    if (text === undefined || (mark === CLASS_DESCRIPTION && !isClassName(text))) {
      vain += Math.min(input.left, ((input.bytes[input.at] ?? 0) << 8) | 255);
      if (vain > MOST_VAIN_BYTES) throw new Unreadable("marks without texts");
      continue;
    }
    (mark === STRING ? texts : classes).push(text);
    input.at += 2 + Buffer.byteLength(text);
  }
  if (classes.length === 0 && texts.length === 0) throw new Unreadable("nothing to show");
  const nodes = new NodeCollector();
  const entries = [
    { key: "classes", value: nodes.texts(classes) },
    { key: "texts", value: nodes.texts(texts) },
  ];
  return { kind: "object", type: null, entries, more: 0 };
}

const isClassName = (text: string): boolean => text.length <= LONGEST_CLASS_NAME && CLASS_NAME.test(text);

/** The text behind a mark, without moving on; undefined if there is none. */
function announced(input: ByteReader): string | undefined {
  const from = input.at;
  try {
    const text = input.text(input.uint16());
    return text.length > 0 && isPrintable(text) ? text : undefined;
  } catch {
    // Not an error: the mark was an ordinary byte.
    return undefined;
  } finally {
    input.at = from;
  }
}
