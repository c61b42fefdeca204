import { Fragment } from "react";

/** After these a line may break: a JSON body or an address has no spaces, and is not to be cut in the middle of a word. */
const JOINT = /(?<=[,:;{}[\]/?&=|])/;

/** Machine text that wraps between its words. */
export function Breakable({ text }: { text: string }) {
  return text.split(JOINT).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text never move
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
