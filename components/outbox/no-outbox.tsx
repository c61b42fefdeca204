"use client";

import Link from "next/link";
import { EmptyState } from "#components/ui/notices/empty-state.tsx";
import { Panel } from "#components/ui/page/panel.tsx";
import type { OutboxList } from "#contracts/outbox/outboxes.ts";
import css from "./no-outbox.module.css";
import { useOutbox } from "./use-outbox.ts";

/** Replaces a page about an outbox when there is none, or none could be read. */
export function NoOutbox() {
  const { list } = useOutbox();
  if (list === undefined || list.problems.length > 0) return <Unread problems={list?.problems ?? []} />;
  return (
    <Panel>
      <EmptyState title="There is no outbox yet.">
        Name one in outbox.yaml, or let the console find it in the database.{" "}
        <Link className={css.link} href="/">
          Overview
        </Link>{" "}
        lists the tables it checked.
      </EmptyState>
    </Panel>
  );
}

function Unread({ problems }: Pick<OutboxList, "problems">) {
  return (
    <Panel>
      <EmptyState title="The outboxes could not be read.">
        {problems.map(({ store, message }) => `${store}: ${message} `)}
        The console tries again every few seconds.
      </EmptyState>
    </Panel>
  );
}
