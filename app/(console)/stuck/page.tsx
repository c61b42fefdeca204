import type { Metadata } from "next";
import { StuckPage } from "#components/stuck/stuck-page.tsx";

export const metadata: Metadata = { title: "Stuck" };

export default function Page() {
  return <StuckPage />;
}
