import presetMantine from "postcss-preset-mantine";

/** The browser's font size at which a length in rem equals the same length in px. */
const ROOT_PX = 16;
/** Hairlines, outlines and the hidden text of screen readers stay as thin as the screen draws them. */
const THIN_PX = 2;

const LENGTHS = /(?<![\w#.-])(-?\d*\.?\d+)px\b/g;

/**
 * Style sheets name sizes in px; the browser gets rem, and em in media queries, so that text, the space around it and
 * the change to the phone's layout follow the font size that a person has set. Example: `font-size: 13px` becomes
 * `font-size: 0.8125rem`.
 */
function postcssRem() {
  return {
    postcssPlugin: "postcss-rem",
    Declaration(declaration) {
      if (declaration.prop === "content") return;
      declaration.value = declaration.value.replace(LENGTHS, (length, px) =>
        Math.abs(px) <= THIN_PX ? length : `${px / ROOT_PX}rem`,
      );
    },
    AtRule(rule) {
      if (rule.name !== "media" && rule.name !== "container") return;
      rule.params = rule.params.replace(LENGTHS, (_, px) => `${px / ROOT_PX}em`);
    },
  };
}

// Plugins rather than their names: the tests' bundler takes no names in a list.
const config = { plugins: [presetMantine(), postcssRem()] };

export default config;
