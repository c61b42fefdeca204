import type { Metadata } from "next";
import { OperationsPage } from "#components/operations/operations-page.tsx";

export const metadata: Metadata = { title: "Operations" };

export default function Page() {
  return <OperationsPage />;
}
