"use client";

import { Button, Modal, NativeSelect, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { mayBeDone } from "#components/api/outage.ts";
import { outboxesQuery, tokensQuery } from "#components/api/queries.ts";
import { makeToken } from "#components/api/session-commands.ts";
import { takeAnswer } from "#components/api/take-answer.ts";
import { openWhile } from "#components/ui/dialogs/open-while.ts";
import { ErrorNote } from "#components/ui/notices/error-note.tsx";
import { CodeBlock } from "#components/ui/values/code-block.tsx";
import type { TokenScope } from "#contracts/access/tokens.ts";
import css from "./settings.module.css";

const SCOPES: { value: TokenScope; label: string }[] = [
  { value: "read", label: "read: as a viewer" },
  { value: "act", label: "act: as an operator" },
  { value: "metrics", label: "metrics: /metrics only" },
];
const DAYS = [
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "366", label: "a year" },
];
const EVERY = "";

/** Makes a token, then shows its secret, which nobody can read again. */
export function TokenDialog({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient();
  const [name, setName] = useState("");
  const [scope, setScope] = useState<TokenScope>("read");
  const [outbox, setOutbox] = useState(EVERY);
  const [days, setDays] = useState("90");
  const outboxes = queryClient.getQueryData(outboxesQuery().queryKey)?.outboxes ?? [];
  const making = useMutation({
    mutationFn: makeToken,
    onSuccess: ({ secret: _, ...list }) => takeAnswer(queryClient, tokensQuery().queryKey, list),
    // It may be there all the same.
    onError: () => queryClient.invalidateQueries({ queryKey: tokensQuery().queryKey }),
  });
  const send = () => making.mutate({ name, scope, outboxes: outbox === EVERY ? null : [outbox], days: Number(days) });
  const secret = making.data?.secret;
  return (
    <Modal
      opened
      onClose={onClose}
      title={secret === undefined ? "New API token" : `API token ${name}`}
      // The secret is shown only once: only who says so has copied it.
      {...openWhile(making.isPending || secret !== undefined)}
    >
      {secret === undefined ? (
        <form
          className={css.form}
          onSubmit={(event) => {
            event.preventDefault();
            send();
          }}
        >
          <TextInput
            label="Name"
            description="Name of the program that uses it, as the audit shows it."
            required
            maxLength={100}
            data-autofocus
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <NativeSelect
            label="Scope"
            data={SCOPES}
            value={scope}
            onChange={(event) => setScope(event.currentTarget.value as TokenScope)}
          />
          <NativeSelect
            label="Outbox"
            data={[
              { value: EVERY, label: "every outbox" },
              ...outboxes.map((one) => ({ value: one.name, label: one.name })),
            ]}
            value={outbox}
            onChange={(event) => setOutbox(event.currentTarget.value)}
          />
          <NativeSelect
            label="Valid for"
            data={DAYS}
            value={days}
            onChange={(event) => setDays(event.currentTarget.value)}
          />
          {making.error !== null && (
            <ErrorNote error={making.error}>
              {mayBeDone(making.error) &&
                " It may have been created: look in the list, and revoke it before you create another."}
            </ErrorNote>
          )}
          <span className={css.buttons}>
            <Button variant="default" onClick={onClose} disabled={making.isPending}>
              Cancel
            </Button>
            <Button type="submit" loading={making.isPending} disabled={name.trim() === ""}>
              Create the token
            </Button>
          </span>
        </form>
      ) : (
        <div className={css.form}>
          <p className={css.text}>
            Copy it now: it is shown only once, and the console keeps only its hash. Send it as the header{" "}
            <code>Authorization: Bearer</code>.
          </p>
          <CodeBlock text={secret} label="the token" />
          <span className={css.buttons}>
            <Button onClick={onClose}>I have copied it</Button>
          </span>
        </div>
      )}
    </Modal>
  );
}
