// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what tells bytes from text
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/;

/** True for text without control characters other than tabs and line ends. */
export const isPrintable = (text: string): boolean => !CONTROL.test(text);
