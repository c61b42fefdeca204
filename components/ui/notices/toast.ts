import { toastHost } from "./toast-host.ts";

const ERROR_SHOWN_MS = 12_000;

interface Toast {
  title?: string | undefined;
  message: string;
}

async function show(content: Toast & { color: string; autoClose?: number | undefined }): Promise<void> {
  toastHost.mount();
  const { notifications } = await import("@mantine/notifications");
  notifications.show({ ...content });
}

/** One summary per action, never one per message. Errors of a form or page belong inline, not here. */
export const toast = {
  done: (content: Toast) => void show({ ...content, color: "var(--ok)" }),
  warn: (content: Toast) => void show({ ...content, color: "var(--warn)", autoClose: ERROR_SHOWN_MS }),
  failed: (content: Toast) => void show({ ...content, color: "var(--bad)", autoClose: ERROR_SHOWN_MS }),
};
