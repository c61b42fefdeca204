import { type BulkSettings, bulkSettingsSchema } from "#contracts/message/operations.ts";

const SETTING_FIELDS = ["ratePerSecond", "rampSeconds", "canary", "haltPercent"] as const;
export type SettingField = (typeof SETTING_FIELDS)[number];

/** As typed; an empty text stands for the default. */
export type SettingsInput = Readonly<Record<SettingField, string>>;

export const DEFAULT_INPUT: SettingsInput = { ratePerSecond: "", rampSeconds: "", canary: "", haltPercent: "" };

/** Limits of the contract, in words. */
const PROBLEMS: Record<SettingField, string> = {
  ratePerSecond: "More than 0, at most 10,000.",
  rampSeconds: "0 to 3,600 s.",
  canary: "0 to 1,000 messages.",
  haltPercent: "1 to 100 %.",
};

/** The settings, or for each wrong field what it takes. */
export function readSettings(input: SettingsInput): {
  settings: BulkSettings | null;
  problems: Partial<Record<SettingField, string>>;
} {
  const given = SETTING_FIELDS.filter((field) => input[field].trim() !== "");
  const values = Object.fromEntries(given.map((field) => [field, Number(input[field].replaceAll(",", ""))]));
  const parsed = bulkSettingsSchema.safeParse(values);
  if (parsed.success) return { settings: parsed.data, problems: {} };
  const wrong = parsed.error.issues.map((issue) => SETTING_FIELDS.find((field) => field === issue.path[0]));
  const problems = Object.fromEntries(
    wrong.flatMap((field) => (field === undefined ? [] : [[field, PROBLEMS[field]]])),
  );
  return { settings: null, problems };
}
