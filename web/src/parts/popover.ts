/** The look of what opens above a page. */
export const popover = "rounded-lg border border-line bg-surface shadow-lg";
