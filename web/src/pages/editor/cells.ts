/** The look of the fields of a line. */
export const cellLook = "min-h-9 w-full min-w-0 rounded-md border border-line bg-surface px-2 data-[invalid]:border-bad";
