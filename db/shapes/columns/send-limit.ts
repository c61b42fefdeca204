import { wordsOf } from "../words/name-words.ts";

const LIMIT =
  /^(must)?(be)?(send|sent|publish|published|deliver|delivered|dispatch|dispatched|process|relay|emit|transmit)by(time|date|ts|at)?$|deadline/;

/** `send_by`, `must_publish_by`, `deadline`: the name of a time after which a row may not be sent any more. */
export const saysSendLimit = (name: string): boolean =>
  LIMIT.test(
    wordsOf(name)
      .map(({ text }) => text)
      .join(""),
  );
