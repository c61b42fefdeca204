"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { outboxHref } from "#components/outbox/outbox-href.ts";
import { useOutbox } from "#components/outbox/use-outbox.ts";
import { formatCount } from "#domain/format.ts";
import { percentOf } from "./bulk-progress.ts";
import { shortProgress } from "./describe-bulk.ts";
import { useRunningOperations } from "./queries/use-running-operations.ts";
import css from "./running-line.module.css";

/** A line on every page while an operation goes on: what, how far, and a link to it. */
export function RunningLine() {
  const { running, isWhole, isOld } = useRunningOperations();
  const { name, href } = useOutbox();
  const pathname = usePathname();
  const [first, ...others] = running.filter(({ id }) => pathname !== `/operations/${id}`);
  if (first === undefined) return null;
  const { bulk, outbox } = first;
  return (
    <aside className={css.line} data-state={bulk.state} aria-label="Running operations">
      <span className={css.bar} style={{ width: `${percentOf(bulk)}%` }} aria-hidden />
      <Link className={css.link} href={outboxHref(`/operations/${encodeURIComponent(first.id)}`, outbox)}>
        {outbox !== name && <bdi>{outbox}: </bdi>}
        {shortProgress(first)}
        {isOld && ", as last read"}
      </Link>
      {others.length > 0 && (
        <Link className={css.link} href={href("/operations", { of: "all" })}>
          and {formatCount(others.length)} more{!isWhole && " at least"}
        </Link>
      )}
    </aside>
  );
}
