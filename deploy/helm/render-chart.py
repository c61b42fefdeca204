"""Lints and renders the chart with the values of standard input, checks every manifest by the schemas of Kubernetes, and prints
them as one JSON list. Needs helm-python-sdk (Helm itself, as a library) and kubernetes-validate; ends with 1 on a finding."""

import json
import sys
from pathlib import Path

import kubernetes_validate
import yaml
from helm_python.chart import Chart, lint

OPERATORS_OWN = {"ServiceMonitor", "PrometheusRule"}

folder = str(Path(__file__).parent / "outbox-console")
values = json.load(sys.stdin)
report = lint(folder, values)
problems = [f"{entry['path']}: {entry['error']}" for entry in report["messages"] if entry["severity"] > 1]
problems += report["errors"]

manifests = []
for text in Chart.load(folder).render(values, name="outbox", namespace="shop").values():
    manifests += [manifest for manifest in yaml.safe_load_all(text) if manifest is not None]
for manifest in manifests:
    if manifest["kind"] in OPERATORS_OWN:
        continue
    try:
        kubernetes_validate.validate(manifest, "1.30", strict=True)
    except kubernetes_validate.ValidationError as error:
        problems.append(f"{manifest['kind']} {manifest['metadata']['name']}: {error.message}")

print("\n".join(problems), file=sys.stderr)
json.dump(manifests, sys.stdout)
sys.exit(1 if problems else 0)
