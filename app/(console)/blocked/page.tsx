import type { Metadata } from "next";
import { BlockedPage } from "#components/blocked/blocked-page.tsx";

export const metadata: Metadata = { title: "Blocked aggregates" };

export default function Page() {
  return <BlockedPage />;
}
