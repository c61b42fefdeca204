import { type MaskRules, type Path, type Pattern, parsePath } from "#domain/masking/mask-rules.ts";
import { NAMED_PATTERNS } from "#domain/masking/patterns.ts";
import type { MaskingConfig } from "../config/masking-schema.ts";
import { type EventCatalog, sensitivePaths } from "../registry/event-catalog.ts";
import { readRegistry } from "../registry/read-registry.ts";

/** Rules for showing the messages of one outbox. */
export interface Masker {
  /**
   * Null if everything in a message of this type may be shown. In a message without a type, values that are sensitive
   * in any type are masked.
   */
  rules(eventType: string | null): MaskRules | null;
  /** Rules for content that may be of any type: the strictest of all types, hidden if one type is hidden. */
  unknown(): MaskRules | null;
}

const UNREADABLE = "The registry of this outbox cannot be read, so which values are sensitive is unknown.";
const HIDDEN_TYPES = "Payloads of some types are hidden by the configuration (masking.types).";
const HIDDEN = "Payloads are hidden by the configuration (masking.payloads).";

/**
 * The masker of an outbox by its present configuration and registry; null if nothing is masked. If the registry cannot
 * be read, payloads are hidden, because the sensitive values are not known.
 */
export async function maskerOf(masking: MaskingConfig, registry: string | undefined): Promise<Masker | null> {
  const read = masking.registry && registry !== undefined ? await readRegistry(registry) : null;
  const catalog = read && "catalog" in read ? read.catalog : null;
  const unread = read !== null && catalog === null;
  const base = baseOf(masking);
  const plain = !isActive(masking, base);
  if (plain && !unread && !marksAny(catalog)) return null;
  const known = new Map<string | null, MaskRules | null>();
  const make = (eventType: string | null, ofType = hiddenBy(masking, eventType)): MaskRules | null => {
    const sensitive = catalog ? sensitivePaths(catalog, eventType).map(parsePath) : [];
    if (plain && !unread && sensitive.length === 0) return null;
    const hidden = ofType ?? (unread ? UNREADABLE : null);
    return { ...base, paths: sensitive.length === 0 ? base.paths : [...base.paths, ...sensitive], hidden };
  };
  return {
    rules(eventType) {
      const found = known.get(eventType);
      if (found !== undefined) return found;
      const made = make(eventType);
      if (known.size < MOST_TYPES) known.set(eventType, made);
      return made;
    },
    unknown: () => make(null, masking.types.length > 0 ? HIDDEN_TYPES : hiddenBy(masking, null)),
  };
}

const MOST_TYPES = 1_000;

type Base = Omit<MaskRules, "hidden">;
const bases = new WeakMap<MaskingConfig, Base & { hidden: null }>();

function baseOf(masking: MaskingConfig): Base & { hidden: null } {
  const known = bases.get(masking);
  if (known) return known;
  const made = {
    paths: masking.paths.map(parsePath),
    patterns: masking.patterns.flatMap(patternsOf),
    maskedByDefault: masking.default === "mask",
    shown: masking.show.map(parsePath) as readonly Path[],
    hidden: null,
    hidesErrors: (masking.errors ?? (masking.default === "mask" ? "hidden" : "masked")) === "hidden",
  };
  bases.set(masking, made);
  return made;
}

function patternsOf(pattern: MaskingConfig["patterns"][number]): readonly Pattern[] {
  if (typeof pattern === "string") return NAMED_PATTERNS[pattern];
  return [{ expression: new RegExp(pattern.expression, "gu") }];
}

function isActive(
  { types, payloads }: MaskingConfig,
  { paths, patterns, maskedByDefault, hidesErrors }: Base,
): boolean {
  const byValue = paths.length > 0 || patterns.length > 0 || maskedByDefault;
  return byValue || hidesErrors || types.length > 0 || payloads === "hidden";
}

function marksAny(catalog: EventCatalog | null): boolean {
  return catalog !== null && Object.values(catalog.events).some(({ sensitive }) => sensitive.length > 0);
}

function hiddenBy({ types, payloads }: MaskingConfig, eventType: string | null): string | null {
  if (payloads === "hidden") return HIDDEN;
  const isHidden = types.some((type) =>
    type.endsWith("*") ? (eventType ?? "").startsWith(type.slice(0, -1)) : type === eventType,
  );
  return isHidden ? `Payloads of the type ${eventType} are hidden by the configuration (masking.types).` : null;
}
