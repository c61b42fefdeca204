"use client";

import { IconBookmark } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import { ToolButton } from "#components/lists/tool-button.tsx";
import type { MessagesPageModel } from "../list/use-messages-page.ts";

const load = () => import("./views-popover.tsx").then((module) => module.ViewsPopover);
const ViewsPopover = dynamic(load, { ssr: false });

export function ViewsButton({ outbox, page }: { outbox: string; page: MessagesPageModel }) {
  return (
    <ToolButton icon={<IconBookmark size={14} aria-hidden />} label="Views" press="views" load={load}>
      {(close) => <ViewsPopover outbox={outbox} page={page} onClose={close} />}
    </ToolButton>
  );
}
