import type { OperationAction } from "#domain/message/correction.ts";
import type { MessageAction } from "#domain/message/message-state.ts";

interface ActionWords {
  verb: string;
  /** "will be ..." */
  future: string;
  /** "n ..." after it was done. */
  past: string;
  /** "... 3 messages" while and after it is done to many. */
  doing: string;
  did: string;
  /** What the action does, and what it does not. */
  consequence: string;
  key: string | undefined;
}

export const ACTION_WORDS: Record<OperationAction, ActionWords> = {
  retry: {
    verb: "Retry",
    future: "tried again",
    past: "queued for another try",
    doing: "Retrying",
    did: "Retried",
    consequence: "Attempts start again at 0 and the history is kept. The relay publishes it with its next batch.",
    key: "r",
  },
  "dead-letter": {
    verb: "Dead-letter",
    future: "dead-lettered",
    past: "dead-lettered",
    doing: "Dead-lettering",
    did: "Dead-lettered",
    consequence: "Nothing sends it until someone retries it. Later messages of its aggregate no longer wait for it.",
    key: "d",
  },
  archive: {
    verb: "Archive",
    future: "taken out of the outbox",
    past: "archived",
    doing: "Archiving",
    did: "Archived",
    consequence: "It leaves the outbox table and can be restored from the archive until it is purged.",
    key: "e",
  },
  restore: {
    verb: "Restore",
    future: "put back",
    past: "restored",
    doing: "Restoring",
    did: "Restored",
    consequence: "It returns to the outbox unchanged, in the state it had.",
    key: "u",
  },
  purge: {
    verb: "Purge",
    future: "deleted permanently",
    past: "deleted",
    doing: "Purging",
    did: "Purged",
    consequence: "It is deleted permanently. This cannot be undone.",
    key: undefined,
  },
  republish: {
    verb: "Re-publish",
    future: "sent once more",
    past: "re-published",
    doing: "Re-publishing",
    did: "Re-published",
    consequence:
      "It is sent once more under its id, with the header outbox-replay. Its row stays as it is, and a consumer without an inbox processes it again.",
    key: "b",
  },
  correct: {
    verb: "Send a corrected copy of",
    future: "replaced by a corrected copy",
    past: "replaced by a corrected copy",
    doing: "Sending corrected copies of",
    did: "Sent corrected copies of",
    consequence: "The copy is a new message at the end of its aggregate. The original keeps its content and is dead.",
    key: "c",
  },
};

/** The actions that the pages offer, in the order of their buttons. */
export const OFFERED_ACTIONS = [
  "retry",
  "dead-letter",
  "archive",
  "restore",
] as const satisfies readonly MessageAction[];

/** Those of the bar of a selection: re-publishing needs a preview, also for one message. */
export const SELECTION_ACTIONS = [...OFFERED_ACTIONS, "republish"] as const;
