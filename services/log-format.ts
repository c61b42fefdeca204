const LEVELS: Readonly<Record<number, string>> = {
  10: "TRACE",
  20: "DEBUG",
  30: "INFO",
  40: "WARN",
  50: "ERROR",
  60: "FATAL",
};

/** Whether LOG_FORMAT asks for lines that people read, in place of JSON. */
export function wantsText(env: Record<string, string | undefined> = process.env): boolean {
  return env.LOG_FORMAT === "text";
}

/**
 * A line of JSON as `2026-11-23T10:00:00.000Z WARN relay: message key=value`, with an error's stack below it. Anything
 * else stays as it is. Line ends inside values stay escaped, so that a value cannot pretend to be a line.
 */
export function asText(line: string): string {
  const record = parse(line);
  if (record === null) return line;
  const { time, level, name, msg, err, pid: _, hostname: __, ...facts } = record;
  const at = typeof time === "number" ? `${new Date(time).toISOString()} ` : "";
  const head = `${at}${LEVELS[Number(level)] ?? "INFO"} ${name ?? "log"}: ${oneLine(msg ?? "")}`;
  const pairs = Object.entries(facts).map(([key, value]) => ` ${key}=${JSON.stringify(value)}`);
  return `${head}${pairs.join("")}${stackOf(err)}\n`;
}

function stackOf(err: unknown): string {
  if (typeof err !== "object" || err === null) return "";
  const { stack, message } = err as { stack?: unknown; message?: unknown };
  const text = String(stack ?? message ?? "");
  return text === "" ? "" : `\n    ${text.replaceAll("\n", "\n    ")}`;
}

const oneLine = (text: unknown) => String(text).replaceAll(/\r?\n/g, "\\n");

function parse(line: string): Record<string, unknown> | null {
  if (!line.startsWith("{")) return null;
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
