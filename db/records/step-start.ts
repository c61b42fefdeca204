/**
 * SQL for the start of the step that contains an instant; steps count from 1970-01-01 UTC. `seconds` is a whole number.
 * `date_bin` would do the same, but needs Postgres 14.
 */
export function stepStart(instant: string, seconds: string): string {
  return `to_timestamp((floor(extract(epoch FROM ${instant}) / ${seconds}) * ${seconds})::float8)`;
}
