import { PageHeader } from "#components/ui/page-header.tsx";

export default function OverviewPage() {
  return <PageHeader title="Overview" />;
}
