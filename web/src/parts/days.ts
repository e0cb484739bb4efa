const ahead = 3 * 3_600_000; // Riyadh is three hours ahead of UTC all year

/** Returns the day of a time in Riyadh, such as 2026-11-15. */
export function dayOf(time: Date): string {
  return new Date(time.getTime() + ahead).toISOString().slice(0, 10);
}

export function today(): string {
  return dayOf(new Date());
}

/** Returns the day that is some days after another. */
export function shift(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

/** Returns the first and the last day of the month some months after that of a day. */
export function monthOf(day: string, months = 0): [string, string] {
  const [year = 0, month = 1] = day.split("-").map(Number);
  const first = new Date(Date.UTC(year, month - 1 + months, 1));
  const last = new Date(Date.UTC(year, month + months, 0));
  return [first.toISOString().slice(0, 10), last.toISOString().slice(0, 10)];
}

/** Returns the first and the last day of the quarter of a day. */
export function quarterOf(day: string): [string, string] {
  const month = Number(day.slice(5, 7));
  const back = -((month - 1) % 3);
  return [monthOf(day, back)[0], monthOf(day, back + 2)[1]];
}
