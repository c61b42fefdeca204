import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  rem,
  type VariantColorsResolver,
} from "@mantine/core";
import css from "./theme.module.css";

const ink: MantineColorsTuple = [
  "#fafaf8",
  "#f1efea",
  "#e8e6e1",
  "#d5d2ca",
  "#b0aca3",
  "#97938a",
  "#77736a",
  "#5d5a54",
  "#2c2a27",
  "#1d1c1a",
];

const DARK_FILL = { background: "var(--ink)", hover: "var(--ink)", color: "var(--bg)", border: "1px solid var(--ink)" };
const DANGER_FILL = {
  background: "var(--bad)",
  hover: "var(--bad)",
  color: "var(--on-bad)",
  border: "1px solid var(--bad)",
};
const SUBTLE = {
  background: "transparent",
  hover: "var(--line2)",
  color: "var(--ink2)",
  border: "1px solid transparent",
};

/** Mantine writes sizes inline, where media queries cannot change them; these names refer to our style sheet. */
const BUTTON_VARS = {
  "--button-height": "var(--control-height)",
  "--button-padding-x": "var(--control-padding)",
  "--button-fz": rem(13),
};

/** One dark primary colour, red for irreversible actions, hairlines for everything else. */
const variantColorResolver: VariantColorsResolver = (input) => {
  if (input.variant === "filled") return input.color === "red" ? DANGER_FILL : DARK_FILL;
  if (input.variant === "subtle" || input.variant === "transparent") return SUBTLE;
  return defaultVariantColorsResolver(input);
};

export const theme = createTheme({
  primaryColor: "ink",
  primaryShade: { light: 9, dark: 1 },
  colors: { ink },
  fontFamily: "var(--font-geist-sans), system-ui, sans-serif",
  fontFamilyMonospace: "var(--mono)",
  fontSizes: { xs: rem(11.5), sm: rem(13), md: rem(13), lg: rem(15), xl: rem(18) },
  lineHeights: { xs: "1.4", sm: "1.45", md: "1.45", lg: "1.45", xl: "1.3" },
  radius: { xs: "4px", sm: "6px", md: "7px", lg: "8px", xl: "10px" },
  defaultRadius: "md",
  shadows: { xs: "none", sm: "none", md: "none", lg: "none", xl: "none" },
  cursorType: "pointer",
  respectReducedMotion: true,
  variantColorResolver,
  components: {
    Button: {
      defaultProps: { variant: "default", size: "sm" },
      classNames: { root: css.button, inner: css.buttonInner, label: css.buttonLabel },
      vars: () => ({ root: BUTTON_VARS }),
    },
    Input: {
      classNames: { input: css.input },
      vars: () => ({ wrapper: { "--input-height": "var(--field-height)" } }),
    },
    InputWrapper: { classNames: { label: css.label } },
    Checkbox: { defaultProps: { size: "xs", radius: 4 } },
    Switch: { defaultProps: { size: "sm", withThumbIndicator: false } },
    Menu: {
      defaultProps: { transitionProps: { duration: 0 }, offset: 4 },
      classNames: { dropdown: css.dropdown, item: css.option },
    },
    Popover: {
      defaultProps: { transitionProps: { duration: 0 } },
      classNames: { dropdown: css.dropdown },
    },
    Tooltip: {
      defaultProps: { transitionProps: { duration: 0 }, openDelay: 250 },
      classNames: { tooltip: css.tooltip },
    },
    Modal: {
      defaultProps: { transitionProps: { duration: 0 }, overlayProps: { backgroundOpacity: 0.3 }, centered: true },
      classNames: {
        content: css.modal,
        header: css.modalHeader,
        title: css.modalTitle,
        body: css.modalBody,
        close: css.modalClose,
      },
    },
    Drawer: {
      defaultProps: { transitionProps: { duration: 120 }, overlayProps: { backgroundOpacity: 0.3 } },
      classNames: { content: css.drawer, header: css.modalHeader, title: css.modalTitle },
    },
    Skeleton: { defaultProps: { radius: 4 } },
  },
});

const shared = {
  "--mantine-color-body": "var(--bg)",
  "--mantine-color-text": "var(--ink)",
  "--mantine-color-bright": "var(--ink)",
  "--mantine-color-dimmed": "var(--ink3)",
  "--mantine-color-placeholder": "var(--ink3)",
  "--mantine-color-anchor": "var(--link)",
  "--mantine-color-error": "var(--bad)",
  "--mantine-color-default": "var(--panel)",
  "--mantine-color-default-hover": "var(--line2)",
  "--mantine-color-default-color": "var(--ink)",
  "--mantine-color-default-border": "var(--line)",
  "--mantine-color-disabled": "var(--line2)",
  "--mantine-color-disabled-color": "var(--ink3)",
  "--mantine-color-disabled-border": "var(--line)",
  "--mantine-primary-color-filled": "var(--ink)",
  "--mantine-primary-color-filled-hover": "var(--ink)",
  "--mantine-primary-color-contrast": "var(--bg)",
  "--mantine-color-ink-filled": "var(--ink)",
  "--mantine-color-ink-filled-hover": "var(--ink)",
};

/** Points Mantine's variables at our tokens, so its parts follow light and dark with everything else. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({ variables: {}, light: shared, dark: shared });
