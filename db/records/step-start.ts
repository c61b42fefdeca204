/**
 * Start of the step in which an instant lies, as SQL; steps are counted from 1970-01-01 UTC. `seconds` is a whole number.
 * `date_bin` would say the same, from Postgres 14 on.
 */
export function stepStart(instant: string, seconds: string): string {
  return `to_timestamp((floor(extract(epoch FROM ${instant}) / ${seconds}) * ${seconds})::float8)`;
}
