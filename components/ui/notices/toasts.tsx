"use client";

import dynamic from "next/dynamic";
import { useSyncExternalStore } from "react";
import { toastHost } from "./toast-host.ts";

const Notifications = dynamic(() => import("@mantine/notifications").then((module) => module.Notifications), {
  ssr: false,
});

/** The corner where toasts appear; its script loads with the first one. */
export function Toasts() {
  const mounted = useSyncExternalStore(toastHost.subscribe, toastHost.isMounted, () => false);
  return mounted ? <Notifications position="bottom-right" limit={3} autoClose={6000} /> : null;
}
