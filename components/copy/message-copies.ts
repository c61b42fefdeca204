import { outboxPath } from "#components/api/queries.ts";
import { outboxHref } from "#components/outbox/outbox-href.ts";
import { copyText } from "#components/ui/format/copy-text.ts";
import { toast } from "#components/ui/notices/toast.ts";
import { withBasePath } from "#contracts/base-path.ts";
import type { MessageDetail } from "#contracts/message/messages.ts";
import { messageOf } from "#domain/errors.ts";
import { type Curl, curlCommand } from "./curl-command.ts";

export interface CopyChoice {
  label: string;
  text: () => string | Promise<string>;
}

interface CopiedMessage {
  outbox: string;
  id: string;
  detail: () => MessageDetail | Promise<MessageDetail>;
  mode: Curl["mode"];
}

/** What a message can be copied as. */
export function copyChoices({ outbox, id, detail, mode }: CopiedMessage): CopyChoice[] {
  const path = `/messages/${encodeURIComponent(id)}`;
  const here = () => window.location.origin + withBasePath("");
  return [
    { label: "id", text: () => id },
    { label: "link", text: () => here() + outboxHref(path, outbox) },
    { label: "JSON", text: async () => JSON.stringify(await detail(), null, 2) },
    { label: "curl", text: () => curlCommand({ flags: "-sS", path: outboxPath(outbox, path), mode }) },
    { label: "SQL", text: async () => (await detail()).sql },
  ];
}

/** Copies and says so; works over plain http too. */
export async function copyMessage({ label, text }: CopyChoice): Promise<void> {
  try {
    if (await copyText(await text())) toast.done({ message: `Copied as ${label}.` });
    else toast.failed({ message: "The browser refused to copy." });
  } catch (error) {
    toast.failed({ message: messageOf(error) });
  }
}
