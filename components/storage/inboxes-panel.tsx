import { ErrorNote } from "#components/ui/notices/error-note.tsx";
import { Panel } from "#components/ui/page/panel.tsx";
import type { Storage } from "#contracts/outbox/storage.ts";
import { InboxDryRun } from "./dry-run.tsx";
import { Runs } from "./retention-runs.tsx";
import css from "./storage.module.css";

const DEFAULT_SECONDS = 30 * 86_400;

/** Retention of each inbox that the outbox feeds: what it must keep, a dry run, and its history. */
export function InboxesPanel({ inboxes }: { inboxes: Storage["inboxes"] }) {
  return inboxes.map((inbox) => <InboxPanel key={inbox.name} inbox={inbox} />);
}

function InboxPanel({ inbox }: { inbox: Storage["inboxes"][number] }) {
  const { name, policy, keepSeconds, least, floor, refusal, runs } = inbox;
  return (
    <Panel title={`Retention of inbox ${name}`} aside={policy ?? "off: nothing is removed"}>
      <p className={css.text}>
        An inbox is the window in which a repeated message has no effect. {refusal?.includes(floor) ? null : floor}
      </p>
      {refusal !== null && (
        <ErrorNote tone="warn" title="Nothing is removed.">
          {refusal}
        </ErrorNote>
      )}
      {policy === null && refusal === null && (
        <p className={css.text}>
          Set inboxes.{name}.retention.keep in outbox.yaml to let the worker remove processed rows of a certain age.
        </p>
      )}
      <InboxDryRun inbox={name} keepSeconds={keepSeconds ?? least ?? DEFAULT_SECONDS} told={refusal} />
      {(policy !== null || runs.length > 0) && <Runs runs={runs} />}
    </Panel>
  );
}
