/** Copies text, also over plain http, where the clipboard API does not exist. Returns whether it worked. */
export async function copyText(text: string): Promise<boolean> {
  try {
    if (window.isSecureContext && navigator.clipboard !== undefined) {
      await navigator.clipboard.writeText(text);
      return true;
    }
  } catch {
    // Permission was refused; the older method below needs none.
  }
  return copyBySelection(text);
}

/** Appended inside an open dialog, whose focus trap would otherwise take the selection. */
function copyBySelection(text: string): boolean {
  const host = document.querySelector("[role=dialog]") ?? document.body;
  const active = document.activeElement;
  const area = document.createElement("textarea");
  area.value = text;
  area.readOnly = true;
  area.style.position = "fixed";
  area.style.opacity = "0";
  host.appendChild(area);
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  if (active instanceof HTMLElement) active.focus();
  return copied;
}
