import { ErrorNote } from "#components/ui/notices/error-note.tsx";
import { Panel } from "#components/ui/page/panel.tsx";
import type { Storage } from "#contracts/outbox/storage.ts";
import { DryRun } from "./dry-run.tsx";
import { Runs } from "./retention-runs.tsx";
import css from "./storage.module.css";

export function RetentionPanel({ storage }: { storage: Storage }) {
  const { policies, refusal, monitorAlive, runs } = storage.retention;
  const isOn = policies.length > 0;
  return (
    <Panel title="Retention" aside={isOn ? policies.join(" · ") : "off: nothing is removed"}>
      {isOn && monitorAlive === false && (
        <ErrorNote tone="warn" title="No worker is running, so nothing is removed.">
          Start one with “npm run worker”, or of the package with “npx outbox-console worker”.
        </ErrorNote>
      )}
      {refusal !== null ? (
        <p className={css.text}>{refusal}</p>
      ) : (
        <>
          <p className={css.text}>
            {isOn
              ? "Once a minute the worker removes older rows in small batches, the oldest first."
              : "Set retention.published.keep in outbox.yaml to let the worker remove published rows of a certain age. A dry run says what that would remove now, and changes nothing."}
          </p>
          <DryRun outbox={storage.outbox} retention={storage.retention} />
        </>
      )}
      {(isOn || runs.length > 0) && <Runs runs={runs} />}
    </Panel>
  );
}
