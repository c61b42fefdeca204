export const PROBES = [
  { value: "curl", label: "curl" },
  { value: "prometheus", label: "Prometheus" },
  { value: "blackbox", label: "Blackbox" },
  { value: "kubernetes", label: "Kubernetes" },
] as const;

interface ProbeInput {
  probe: string;
  /** Where the console answers, e.g. `https://outbox.example.com`. */
  origin: string;
  outbox: string | undefined;
}

/** Configuration text for one kind of probe. */
export function probeText({ probe, origin, outbox }: ProbeInput): string {
  const { host, hostname, port, protocol } = new URL(origin);
  const narrowed = outbox === undefined ? "" : `?outbox=${encodeURIComponent(outbox)}`;
  if (probe === "prometheus") return prometheus(host, protocol.slice(0, -1));
  if (probe === "blackbox") return blackbox(`${origin}/api/health${narrowed}`);
  if (probe === "kubernetes") return kubernetes(port || (protocol === "https:" ? "443" : "80"), hostname);
  return [
    "# 200: pass or warn. 503: fail, also when the database does not answer",
    `curl -fsS '${origin}/api/health${narrowed}'`,
    "",
    "# with strict=1, warn answers 503 too",
    `curl -fsS '${origin}/api/health${narrowed === "" ? "?" : `${narrowed}&`}strict=1'`,
  ].join("\n");
}

function prometheus(host: string, scheme: string): string {
  return `scrape_configs:
  - job_name: outbox-console
    scheme: ${scheme}
    metrics_path: /metrics
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

function kubernetes(port: string, host: string): string {
  return `livenessProbe:   # the process only: a silent database must not restart the console
  httpGet: { path: /api/health/live, port: ${port}, httpHeaders: [{ name: Host, value: ${host} }] }
readinessProbe:
  httpGet: { path: /api/health/ready, port: ${port}, httpHeaders: [{ name: Host, value: ${host} }] }`;
}
