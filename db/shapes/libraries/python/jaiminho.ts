import type { LibraryTable } from "../library-table-type.ts";
import { MOVED_OUT } from "../moved-out.ts";

export const jaiminho: LibraryTable = {
  slug: "jaiminho",
  library: "django-jaiminho",
  source: "accd6ef; jaiminho/models.py, relayer.py",
  name: /jaiminho/,
  required: ["id", "message", "function", "kwargs", "signature", "sent_at"],
  optional: ["created_at", "stream", "strategy"],
  kind: {
    role: "outbox",
    columns: {
      id: "id",
      payload: "message",
      headers: "kwargs",
      aggregateId: "stream",
      createdAt: "created_at",
      publishedAt: "sent_at",
      order: "id",
    },
    lifecycle: {
      kind: "rules",
      states: { published: { column: "sent_at", is: "set" }, waiting: { column: "sent_at", is: "null" } },
      verbs: {
        retry: { set: [{ column: "sent_at", to: "null" }], does: "Not sent: the relay takes it again." },
        "dead-letter": MOVED_OUT,
      },
    },
    traps: [
      "Message, function and arguments are pickles of dill: they are shown as bytes and never loaded. A changed row breaks its signature.",
      "With the strategy keep-order the relay stops at the first event that fails.",
    ],
  },
};
