import type { CallPatterns } from "./call-names.ts";
import type { RuleContext } from "./eslint-types.ts";

/**
 * Names by which the rules recognise an outbox and the like, in `settings.outbox` of an ESLint configuration. Given
 * lists replace the defaults.
 */
export interface LintSettings {
  /** Names of variables or members that hold an outbox. */
  outboxes: CallPatterns;
  inboxes: CallPatterns;
  /** Calls whose function argument runs in a transaction. */
  transactions: CallPatterns;
  /** Calls that send to a broker. */
  publishers: CallPatterns;
  /** Calls whose function argument runs after the commit, where publishing is no mistake of this kind. */
  afterCommit: CallPatterns;
}

export const DEFAULT_SETTINGS: LintSettings = {
  outboxes: ["*outbox"],
  inboxes: ["*inbox"],
  transactions: [
    "*.transaction",
    "*.$transaction",
    "*.withTransaction",
    "*.transactional",
    "*.begin",
    "transaction().execute",
    "inTransaction",
    "withTransaction",
  ],
  publishers: [
    ...["*.publish", "*.sendToQueue", "*.produce", "*.xadd", "*.putEvents"],
    ...["*producer*.send", "*producer*.sendBatch", "*kafka*.send", "*sqs*.send*", "*sns*.send", "*publisher*.send"],
    ...["*eventbridge*.send", "*servicebus*.send*"],
  ],
  afterCommit: ["*afterCommit", "*onCommit"],
};

export function settingsOf({ settings }: RuleContext): LintSettings {
  const given = settings.outbox;
  return typeof given === "object" && given !== null ? { ...DEFAULT_SETTINGS, ...given } : DEFAULT_SETTINGS;
}

export const methodsOf = (names: CallPatterns, ...methods: string[]): CallPatterns =>
  names.flatMap((name) => methods.map((method) => `${name}.${method}`));
