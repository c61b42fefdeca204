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
  /** What the action does, and what it does not, for one message and for several. */
  consequence: { one: string; several: string };
  key: string | undefined;
}

export const ACTION_WORDS: Record<OperationAction, ActionWords> = {
  retry: {
    verb: "Retry",
    future: "tried again",
    past: "queued for another try",
    doing: "Retrying",
    did: "Retried",
    consequence: {
      one: "Attempts start again at 0 and the history is kept. The relay publishes it with its next batch.",
      several: "Attempts start again at 0 and the history is kept. The relay publishes them with its next batch.",
    },
    key: "r",
  },
  "dead-letter": {
    verb: "Dead-letter",
    future: "dead-lettered",
    past: "dead-lettered",
    doing: "Dead-lettering",
    did: "Dead-lettered",
    consequence: {
      one: "Nothing sends it until someone retries it. Later messages of its aggregate no longer wait for it.",
      several:
        "Nothing sends them until someone retries them. Later messages of their aggregates no longer wait for them.",
    },
    key: "d",
  },
  archive: {
    verb: "Archive",
    future: "taken out of the outbox",
    past: "archived",
    doing: "Archiving",
    did: "Archived",
    consequence: {
      one: "It leaves the outbox table and can be restored from the archive until it is purged.",
      several: "They leave the outbox table and can be restored from the archive until they are purged.",
    },
    key: "e",
  },
  restore: {
    verb: "Restore",
    future: "put back",
    past: "restored",
    doing: "Restoring",
    did: "Restored",
    consequence: {
      one: "It returns to the outbox unchanged, in the state it had.",
      several: "They return to the outbox unchanged, each in the state it had.",
    },
    key: "u",
  },
  purge: {
    verb: "Purge",
    future: "deleted permanently",
    past: "deleted",
    doing: "Purging",
    did: "Purged",
    consequence: {
      one: "It is deleted permanently. This cannot be undone.",
      several: "They are deleted permanently. This cannot be undone.",
    },
    key: undefined,
  },
  republish: {
    verb: "Re-publish",
    future: "sent once more",
    past: "re-published",
    doing: "Re-publishing",
    did: "Re-published",
    consequence: {
      one: "It is sent once more under its id, with the header outbox-replay. Its row stays as it is, and a consumer without an inbox processes it again.",
      several:
        "Each is sent once more under its id, with the header outbox-replay. Their rows stay as they are, and a consumer without an inbox processes them again.",
    },
    key: "b",
  },
  correct: {
    verb: "Send a corrected copy of",
    future: "replaced by a corrected copy",
    past: "replaced by a corrected copy",
    doing: "Sending corrected copies of",
    did: "Sent corrected copies of",
    consequence: {
      one: "The copy is a new message at the end of its aggregate. The original keeps its content and is dead.",
      several:
        "The copies are new messages at the end of their aggregates. The originals keep their content and are dead.",
    },
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
