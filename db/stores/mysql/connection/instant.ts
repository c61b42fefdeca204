/** A DATETIME(6) in UTC, as the server prints it, as RFC 3339 with microseconds. */
export function rfc3339(datetime: string): string {
  const [whole = "", fraction = ""] = datetime.split(".");
  return `${whole.replace(" ", "T")}.${fraction.padEnd(6, "0")}Z`;
}

/** An RFC 3339 instant of any offset as the text of a DATETIME(6) in UTC. Throws RangeError for another text. */
export function datetimeOf(instant: string): string {
  const fraction = /\.(\d+)/.exec(instant)?.[1] ?? "";
  const whole = new Date(instant.replace(/\.\d+/, "")).toISOString();
  return `${whole.slice(0, 19).replace("T", " ")}.${fraction.slice(0, 6).padEnd(6, "0")}`;
}
