/** Whether the window has room for a table, and for the navigation beside the page. */
export const wide = matchMedia("(min-width: 64rem)");
