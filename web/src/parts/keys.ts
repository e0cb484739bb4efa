/** Reports whether keys belong to what has the focus: a field, a menu or a dialog. */
export function typing(target: EventTarget | null): boolean {
  if (document.querySelector("[role=dialog], [role=menu], [role=listbox]")) return true;
  return target instanceof HTMLElement && (target.isContentEditable || Boolean(target.closest("input:not([type=checkbox]), textarea, select, [role=spinbutton], [role=combobox]")));
}
