import type { Metadata } from "next";
import { StoragePage } from "#components/storage/storage-page.tsx";

export const metadata: Metadata = { title: "Storage" };

export default function Page() {
  return <StoragePage />;
}
