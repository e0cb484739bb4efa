/** Returns the date in Riyadh, such as 2026-11-15. */
export function today(): string {
  return new Intl.DateTimeFormat("en-CA-u-ca-gregory-nu-latn", { timeZone: "Asia/Riyadh", year: "numeric", month: "2-digit", day: "2-digit" }).format(new Date());
}
