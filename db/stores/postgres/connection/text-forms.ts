/** Images of rows and keys, and what a relay sends, are texts: their form must not depend on the role's settings. */
export const TEXT_FORMS: Readonly<Record<string, string>> = {
  TimeZone: "UTC",
  DateStyle: "ISO",
  IntervalStyle: "postgres",
  bytea_output: "hex",
  extra_float_digits: "1",
};
