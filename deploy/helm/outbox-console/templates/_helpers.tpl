{{- define "outbox-console.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 52 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 52 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "outbox-console.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "outbox-console.labels" -}}
{{ include "outbox-console.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "outbox-console.serviceAccount" -}}
{{- if .Values.serviceAccount.create }}{{ .Values.serviceAccount.name | default (include "outbox-console.name" .) }}{{ else }}{{ .Values.serviceAccount.name | default "default" }}{{ end }}
{{- end }}

{{- define "outbox-console.secret" -}}
{{- required "existingSecret: name a Secret whose keys the configuration refers to, e.g. SHOP_DATABASE_URL" .Values.existingSecret }}
{{- end }}

{{/* The host of the Ingress is one under which the console may be reached. */}}
{{- define "outbox-console.config" -}}
{{- $config := deepCopy .Values.config }}
{{- if .Values.ingress.enabled }}
{{- $console := $config.console | default dict }}
{{- $hosts := append ($console.allowedHosts | default list) .Values.ingress.host | uniq }}
{{- $config = set $config "console" (set $console "allowedHosts" $hosts) }}
{{- end }}
{{- toYaml $config }}
{{- end }}

{{/* What every pod has in common; call it with a dict of root and command. */}}
{{- define "outbox-console.pod" -}}
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
automountServiceAccountToken: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
{{- with .root.Values.nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.affinity }}
affinity: {{ toYaml . | nindent 2 }}
{{- end }}
volumes:
  {{- if not .plainConfig }}
  - name: config
    configMap: { name: {{ include "outbox-console.name" .root }} }
  {{- end }}
  # The console writes a copy of its build here under a base path.
  - name: tmp
    emptyDir: { sizeLimit: 200Mi }
  {{- if .root.Values.mountSecret }}
  - name: secrets
    secret: { secretName: {{ include "outbox-console.secret" .root }}, defaultMode: 0440 }
  {{- end }}
  {{- with .root.Values.extraVolumes }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}

{{- define "outbox-console.container" -}}
name: {{ .command }}
image: "{{ .root.Values.image.repository }}{{ if .root.Values.image.digest }}@{{ .root.Values.image.digest }}{{ else }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}{{ end }}"
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
args: [{{ .command }}]
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
envFrom:
  - secretRef: { name: {{ include "outbox-console.secret" .root }} }
env:
  - { name: LOG_FORMAT, value: {{ .root.Values.logFormat }} }
  {{- if .plainConfig }}
  - name: OUTBOX_CONFIG_YAML
    value: {{ include "outbox-console.config" .root | quote }}
  {{- end }}
  {{- if and .root.Values.basePath (eq .command "console") }}
  - { name: BASE_PATH, value: {{ .root.Values.basePath | quote }} }
  {{- end }}
  {{- if eq .command "worker" }}
  - { name: WORKER_PORT, value: "9464" }
  {{- end }}
  {{- with .root.Values.extraEnv }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
volumeMounts:
  {{- if not .plainConfig }}
  - { name: config, mountPath: /config, readOnly: true }
  {{- end }}
  - { name: tmp, mountPath: /tmp }
  {{- if .root.Values.mountSecret }}
  - { name: secrets, mountPath: /run/secrets, readOnly: true }
  {{- end }}
  {{- with .root.Values.extraVolumeMounts }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end }}

{{/* Host names are checked, and a kubelet asks by the pod's address. */}}
{{- define "outbox-console.probe" -}}
httpGet:
  path: {{ .path }}
  port: {{ .port }}
  httpHeaders: [{ name: Host, value: localhost }]
{{- end }}
