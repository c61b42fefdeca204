import { notifications } from "@mantine/notifications";

const ERROR_SHOWN_MS = 12_000;

interface ToastAction {
  title?: string;
  message: string;
}

/** One summary per action, never one per message. Errors of a form or page belong inline, not here. */
export const toast = {
  done: ({ title, message }: ToastAction) => notifications.show({ title, message, color: "var(--ok)" }),
  warn: ({ title, message }: ToastAction) =>
    notifications.show({ title, message, color: "var(--warn)", autoClose: ERROR_SHOWN_MS }),
  failed: ({ title, message }: ToastAction) =>
    notifications.show({ title, message, color: "var(--bad)", autoClose: ERROR_SHOWN_MS }),
};
