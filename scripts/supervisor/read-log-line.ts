export type LogLine = { level: "info" | "warn" | "error"; text: string };

const WARN = 40;
const ERROR = 50;

/** A child's line, either one of pino's JSON lines or plain text. */
export function readLogLine(line: string, stream: "stdout" | "stderr"): LogLine {
  const record = parseRecord(line);
  if (record === null) return { level: stream === "stderr" ? "warn" : "info", text: line };
  const level = typeof record.level === "number" ? record.level : 0;
  const error = record.err as { message?: unknown } | undefined;
  const message = [record.msg, error?.message].filter((part) => typeof part === "string" && part !== "");
  return {
    level: level >= ERROR ? "error" : level >= WARN ? "warn" : "info",
    text: [...new Set(message)].join(": ") || line,
  };
}

/** The line with which a child reports that it has set up what the others need. */
export function isReadyLine(line: string): boolean {
  return parseRecord(line)?.ready === true;
}

function parseRecord(line: string): Record<string, unknown> | null {
  if (!line.startsWith("{")) return null;
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return null;
  }
}
