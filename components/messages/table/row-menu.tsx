"use client";

import { IconDots } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { messageQuery } from "#components/api/message-queries.ts";
import { sessionQuery } from "#components/api/queries.ts";
import { copyChoices, copyMessage } from "#components/copy/message-copies.ts";
import { MenuButton } from "#components/ui/controls/menu-button.tsx";
import type { MessageSummary } from "#contracts/message/messages.ts";
import css from "./message-table.module.css";

/** Copies the row's message as id, link, JSON, curl or SQL; what the list does not have is read first. */
export function RowMenu({ outbox, message }: { outbox: string; message: MessageSummary }) {
  const client = useQueryClient();
  const mode = client.getQueryData(sessionQuery().queryKey)?.mode;
  const detail = () => client.fetchQuery(messageQuery(outbox, message.id));
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the row behind must not open
    // biome-ignore lint/a11y/useKeyWithClickEvents: the button inside takes keys
    <span onClick={(event) => event.stopPropagation()} data-press="row-menu">
      <MenuButton
        className={css.moreButton}
        label={`Copy ${message.eventType || "message"} ${message.id} as`}
        entries={copyChoices({ outbox, id: message.id, detail, mode }).map((choice) => ({
          label: `Copy as ${choice.label}`,
          onSelect: () => void copyMessage(choice),
        }))}
        position="bottom-end"
        width={190}
      >
        <IconDots size={15} aria-hidden />
      </MenuButton>
    </span>
  );
}
