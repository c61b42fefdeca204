"use client";

import { CloseButton, Switch } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { apiPost } from "#components/api/api-client.ts";
import { demoQuery } from "#components/api/queries.ts";
import { takeAnswer } from "#components/api/take-answer.ts";
import { ErrorNote } from "#components/ui/notices/error-note.tsx";
import { Instant } from "#components/ui/values/instant.tsx";
import { type Demo, demoSchema, type Fault } from "#contracts/demo.ts";
import { formatRate } from "#domain/format.ts";
import css from "./demo.module.css";

/** Switches for the faults. It covers one corner only, so that their effect stays visible. */
export function DemoPanel({ demo, onClose }: { demo: Demo; onClose: () => void }) {
  const queryClient = useQueryClient();
  const mutation = useMutation({
    mutationFn: (fault: Fault) => apiPost(demoSchema, "/api/v1/demo", { fault: fault.name, active: !fault.active }),
    onSuccess: (answer) => takeAnswer(queryClient, demoQuery().queryKey, answer),
  });
  return (
    <aside className={css.panel} aria-label="Demo shop">
      <div className={css.head}>
        <h2>Demo shop</h2>
        <span className="muted">about {formatRate(demo.ordersPerSecond)} orders a second</span>
        <CloseButton className={css.close} aria-label="Close the demo panel" size="sm" onClick={onClose} />
      </div>
      <p className={css.lead}>Break something and watch the console report it.</p>
      {mutation.error !== null && <ErrorNote error={mutation.error} />}
      <ul className={css.faults}>
        {demo.faults.map((fault) => (
          <FaultRow
            key={fault.name}
            fault={fault}
            pending={mutation.isPending && mutation.variables.name === fault.name}
            onToggle={() => mutation.mutate(fault)}
          />
        ))}
      </ul>
    </aside>
  );
}

function FaultRow({ fault, pending, onToggle }: { fault: Fault; pending: boolean; onToggle: () => void }) {
  return (
    <li className={css.fault}>
      <Switch
        label={fault.title}
        description={fault.description}
        labelPosition="left"
        checked={pending ? !fault.active : fault.active}
        disabled={pending}
        onChange={onToggle}
        classNames={{
          body: css.switchBody,
          labelWrapper: css.words,
          label: css.title,
          description: css.description,
        }}
      />
      {fault.active && fault.since !== null && (
        <div className={css.since}>
          on since <Instant at={fault.since} />
        </div>
      )}
    </li>
  );
}
