"use client";

import { Modal } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { rememberReason } from "#components/action/recent-reasons.ts";
import { useOperation } from "#components/action/use-operation.ts";
import { useLive } from "#components/live/live-provider.tsx";
import { outboxHref } from "#components/outbox/outbox-href.ts";
import { openWhile } from "#components/ui/dialogs/open-while.ts";
import { PHONE } from "#components/ui/page/phone.ts";
import type { OperationRequest } from "#contracts/message/operations.ts";
import { dialogPreviewQuery } from "../queries/operation-queries.ts";
import type { BulkAsk } from "./bulk-ask.ts";
import { PreviewForm } from "./preview-form.tsx";
import { previewTitle } from "./preview-words.ts";

interface PreviewDialogProps {
  outbox: string;
  ask: BulkAsk;
  onClose: () => void;
  typed?: string;
}

/** Shows what an action on many messages would do, asks for a reason, starts it and opens its page. */
export function PreviewDialog({ outbox, ask, onClose, typed }: PreviewDialogProps) {
  const { holdRefresh } = useLive();
  const router = useRouter();
  const phone = useMediaQuery(PHONE, false, { getInitialValueInEffect: false });
  const operation = useOperation(outbox);
  const request = { action: ask.action, ...ask.select };
  // The number that is typed must not change below the fingers, so the preview is read once.
  const preview = useQuery(dialogPreviewQuery(outbox, request));
  useEffect(() => holdRefresh("a dialog is open"), [holdRefresh]);

  function start(rest: Pick<OperationRequest, "reason" | "settings" | "confirm" | "sink">) {
    rememberReason(rest.reason);
    operation.mutate(
      { ...request, ...rest },
      {
        onSuccess: ({ id }) => {
          onClose();
          router.push(outboxHref(`/operations/${encodeURIComponent(id)}`, outbox));
        },
      },
    );
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={previewTitle(ask.action, preview.data)}
      size={920}
      fullScreen={phone}
      {...openWhile(operation.isPending)}
    >
      <PreviewForm
        outbox={outbox}
        ask={ask}
        preview={preview.data}
        readError={preview.isFetching ? null : preview.error}
        onReadAgain={() => {
          operation.reset();
          void preview.refetch();
        }}
        focused={!phone}
        typed={typed}
        pending={operation.isPending}
        error={operation.error}
        onStart={start}
        onCancel={onClose}
      />
    </Modal>
  );
}
