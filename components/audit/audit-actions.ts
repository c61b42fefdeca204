import { MESSAGE_ACTIONS } from "#domain/message/message-state.ts";

interface ActionGroup {
  group: string;
  items: readonly string[];
}

const verbs = (concept: string, ...names: readonly string[]) => names.map((name) => `${concept}.${name}`);

/** What the audit records, by subject, for the filter. The audit may hold others of older versions. */
const AUDIT_ACTIONS: readonly ActionGroup[] = [
  {
    group: "Messages",
    items: [
      ...verbs("message", ...MESSAGE_ACTIONS, "copy", "correct", "reveal", "forget"),
      "messages.export",
      "inbox.export",
    ],
  },
  {
    group: "Operations",
    items: verbs("operation", ...MESSAGE_ACTIONS, "republish", "pause", "resume", "cancel"),
  },
  {
    group: "Relays",
    items: [
      ...verbs("relay", "pause", "resume", "change_over"),
      ...verbs("connector", "pause", "resume", "restart", "restart_task", "stop"),
    ],
  },
  {
    group: "Tables",
    items: [...verbs("mapping", "save", "accept", "ignore"), "outbox.forget", "inbox.forget", "retention.activate"],
  },
  {
    group: "Team",
    items: [
      ...verbs("group", "note", "claim", "release", "resolve", "reopen", "ignore", "heed"),
      ...verbs("incident", "open", "rename", "note", "lead", "end"),
      ...["deploy.report", "view.save", "view.rename", "view.delete", "alert.test"],
    ],
  },
  {
    group: "Access",
    items: [
      ...["session.start", "session.refused", "session.end", "token.make", "token.revoke"],
      ...["request.denied", "audit.export", "config.reload"],
    ],
  },
];

/** The groups, with an action of an address that is in none of them. */
export function actionGroups(chosen: string | undefined): ActionGroup[] {
  const known = AUDIT_ACTIONS.some(({ items }) => chosen === undefined || items.includes(chosen));
  return known || chosen === undefined ? [...AUDIT_ACTIONS] : [...AUDIT_ACTIONS, { group: "Others", items: [chosen] }];
}
