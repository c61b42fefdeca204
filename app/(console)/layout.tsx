import type { ReactNode } from "react";
import { Shell } from "#components/shell/shell.tsx";

/** Every page depends on the address and on live figures: nothing here can be rendered at build time. */
export const dynamic = "force-dynamic";

export default function ConsoleLayout({ children }: { children: ReactNode }) {
  return <Shell>{children}</Shell>;
}
