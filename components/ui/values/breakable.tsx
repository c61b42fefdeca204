import { Fragment } from "react";

/** Characters after which a line may break: JSON and URLs have no spaces, and should not break within a word. */
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
