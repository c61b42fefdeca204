"use client";

import { IconChevronDown } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { sessionQuery } from "#components/api/queries.ts";
import { type CopyChoice, copyChoices, copyMessage } from "#components/copy/message-copies.ts";
import { MenuButton } from "#components/ui/controls/menu-button.tsx";
import type { MessageDetail } from "#contracts/message/messages.ts";
import { capitalize } from "#domain/format.ts";
import css from "./message.module.css";

/** Id, link, JSON, curl, SQL and payload of one message. */
export function CopyMenu({ outbox, detail }: { outbox: string; detail: MessageDetail }) {
  const payload: CopyChoice[] =
    detail.payload === null ? [] : [{ label: "payload as stored", text: () => detail.payload?.text ?? "" }];
  const { data: session } = useQuery(sessionQuery());
  const message = { outbox, id: detail.message.id, detail: () => detail, mode: session?.mode };
  const choices = [...copyChoices(message), ...payload];
  return (
    <span data-press="copy">
      <MenuButton
        className={css.copyButton}
        entries={choices.map((choice) => ({
          label: capitalize(choice.label),
          onSelect: () => void copyMessage(choice),
        }))}
        position="bottom-end"
        width={190}
      >
        Copy
        <IconChevronDown size={13} aria-hidden />
      </MenuButton>
    </span>
  );
}
