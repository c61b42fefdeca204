"use client";

import { IconBookmark } from "@tabler/icons-react";
import { ToolButton } from "#components/lists/tool-button.tsx";
import { lazyDialog } from "#components/ui/lazy/lazy-dialog.tsx";
import type { MessagesPageModel } from "../list/use-messages-page.ts";

const ViewsPopover = lazyDialog(() => import("./views-popover.tsx").then((module) => module.ViewsPopover));

export function ViewsButton({ outbox, page }: { outbox: string; page: MessagesPageModel }) {
  return (
    <ToolButton icon={<IconBookmark size={14} aria-hidden />} label="Views" press="views" load={ViewsPopover.preload}>
      {(close) => <ViewsPopover outbox={outbox} page={page} onClose={close} />}
    </ToolButton>
  );
}
