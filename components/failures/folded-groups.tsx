"use client";

import { Button } from "@mantine/core";
import { useId, useState } from "react";
import type { FailureGroup, FailureGroupList } from "#contracts/message/messages.ts";
import { formatPlural } from "#domain/format.ts";
import { FailureTable } from "./failure-table.tsx";
import css from "./group-memory.module.css";

/** All groups; those that somebody ignores, and that keep below their rate, behind one line that counts them. */
export function FoldedGroups({ list }: { list: FailureGroupList | undefined }) {
  const { groups, by = "text", complete = true } = list ?? {};
  const [open, setOpen] = useState(false);
  const id = useId();
  const folded = groups?.filter(isFolded) ?? [];
  const shown = groups?.filter((group) => !isFolded(group));
  const messages = folded.reduce((sum, group) => sum + group.messages, 0);
  return (
    <>
      {shown?.length !== 0 && <FailureTable groups={shown} by={by} complete={complete} />}
      {folded.length > 0 && (
        <div className={css.fold}>
          <span>
            {formatPlural(folded.length, "group")} with {formatPlural(messages, "message")}{" "}
            {folded.length === 1 ? "is" : "are"} ignored and below the rate that was set. Counts, verdict, health and
            alerts include them.
          </span>
          <Button size="xs" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
            {open ? "Fold" : "Show"}
          </Button>
        </div>
      )}
      {open && folded.length > 0 && (
        <div id={id}>
          <FailureTable groups={folded} by={by} complete={complete} />
        </div>
      )}
    </>
  );
}

function isFolded({ mark }: FailureGroup): boolean {
  return mark?.ignored?.folded === true;
}
