"use client";

import { IconChevronDown } from "@tabler/icons-react";
import { outboxPath } from "#components/api/queries.ts";
import { outboxHref } from "#components/shell/outbox-href.ts";
import { copyText } from "#components/ui/copy-text.ts";
import { MenuButton } from "#components/ui/menu-button.tsx";
import { toast } from "#components/ui/toast.ts";
import type { MessageDetail } from "#contracts/messages.ts";
import css from "./message.module.css";
import { quoteForShell } from "./quote-for-shell.ts";

interface CopyChoice {
  label: string;
  text: () => string;
}

/** Id, link, payload, curl and SQL; works over plain http too. */
export function CopyMenu({ outbox, detail }: { outbox: string; detail: MessageDetail }) {
  const choices = listChoices(outbox, detail);

  async function copy({ label, text }: CopyChoice) {
    if (await copyText(text())) toast.done({ message: `${label} copied.` });
    else toast.failed({ message: "The browser refused to copy." });
  }

  return (
    <MenuButton
      className={css.copyButton}
      entries={choices.map((choice) => ({ label: choice.label, onSelect: () => void copy(choice) }))}
      position="bottom-end"
      width={190}
    >
      Copy
      <IconChevronDown size={13} aria-hidden />
    </MenuButton>
  );
}

function listChoices(outbox: string, detail: MessageDetail): CopyChoice[] {
  const id = detail.message.id;
  const here = window.location.origin;
  const api = `${here}${outboxPath(outbox, `/messages/${encodeURIComponent(id)}`)}`;
  return [
    { label: "Id", text: () => id },
    { label: "Link", text: () => here + outboxHref(`/messages/${encodeURIComponent(id)}`, outbox) },
    { label: "JSON", text: () => JSON.stringify(detail, null, 2) },
    ...(detail.payload === null ? [] : [{ label: "Payload as stored", text: () => detail.payload?.text ?? "" }]),
    { label: "curl", text: () => `curl -sS ${quoteForShell(api)}` },
    { label: "SQL", text: () => detail.sql },
  ];
}
