"use client";

import Link from "next/link";
import { EmptyState } from "#components/ui/notices/empty-state.tsx";
import { Panel } from "#components/ui/page/panel.tsx";
import css from "./no-outbox.module.css";
import { useOutbox } from "./use-outbox.ts";

/** Replaces a page about an outbox when there is none, or none could be read. */
export function NoOutbox() {
  const { list } = useOutbox();
  const read = list !== undefined && list.problems.length === 0;
  return (
    <Panel>
      <EmptyState title={read ? "There is no outbox yet." : "The outboxes could not be read."}>
        Name one in outbox.yaml, or let the console find it in the database.{" "}
        <Link className={css.link} href="/">
          Overview
        </Link>{" "}
        lists the tables it checked.
      </EmptyState>
    </Panel>
  );
}
