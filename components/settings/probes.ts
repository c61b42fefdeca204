import { quoteForShell } from "#components/copy/quote-for-shell.ts";

export const PROBES = [
  { value: "curl", label: "curl" },
  { value: "prometheus", label: "Prometheus" },
  { value: "blackbox", label: "Blackbox" },
  { value: "kubernetes", label: "Kubernetes" },
] as const;

interface ProbeInput {
  probe: string;
  /** Where the console answers, e.g. `https://tools.example.com/outbox`. */
  url: string;
  outbox: string | undefined;
  /** Only those who sign in, or send a token, read /metrics. */
  signsIn: boolean;
}

/** Configuration text for one kind of probe. */
export function probeText({ probe, url, outbox, signsIn }: ProbeInput): string {
  const narrowed = outbox === undefined ? "" : `?outbox=${encodeURIComponent(outbox)}`;
  if (probe === "prometheus") return prometheus(new URL(`${url}/metrics`), signsIn);
  if (probe === "blackbox") return blackbox(`${url}/api/health${narrowed}`);
  if (probe === "kubernetes") return KUBERNETES;
  return [
    "# 200: pass or warn. 503: fail, also when the database does not answer",
    `curl -fsS ${quoteForShell(`${url}/api/health${narrowed}`)}`,
    "",
    "# with strict=1, warn answers 503 too",
    `curl -fsS ${quoteForShell(`${url}/api/health${narrowed === "" ? "?" : `${narrowed}&`}strict=1`)}`,
  ].join("\n");
}

function prometheus({ host, protocol, pathname }: URL, signsIn: boolean): string {
  const token = signsIn ? '\n    authorization: { credentials: "<API token with the scope metrics>" }' : "";
  return `scrape_configs:
  - job_name: outbox-console
    scheme: ${protocol.slice(0, -1)}
    metrics_path: ${pathname}${token}
    static_configs:
      - targets: ["${host}"]`;
}

function blackbox(target: string): string {
  return `scrape_configs:
  - job_name: outbox-health
    metrics_path: /probe
    params: { module: [http_2xx] }
    static_configs:
      - targets: ["${target}"]
    relabel_configs:
      - { source_labels: [__address__], target_label: __param_target }
      - { target_label: __address__, replacement: "blackbox-exporter:9115" }`;
}

/** Probes go to the pod, past the proxy whose address the browser knows. */
const KUBERNETES = `livenessProbe:   # the process only: a silent database must not restart the console
  httpGet: { path: /api/health/live, port: <PORT of the container>, httpHeaders: [{ name: Host, value: localhost }] }
readinessProbe:
  httpGet: { path: /api/health/ready, port: <PORT of the container>, httpHeaders: [{ name: Host, value: localhost }] }`;
