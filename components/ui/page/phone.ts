/** Media query of a phone's width, as in the style sheets. */
export const PHONE = "(max-width: 47.5em)";
