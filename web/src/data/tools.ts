import { activeOrganisation, environment, Failure, failureOf } from "./client";
import { newListeners } from "./listeners";
import type { paths } from "./open";

type Answer<Path extends keyof paths> = paths[Path] extends { post: { responses: { 200: { content: { "application/json": infer Body } } } } } ? Body : never;
export type Parsed = Answer<"/api/public/parse-invoice/">;
export type Checked = Answer<"/api/public/validate-zatca/">;
export type Result = Checked["results"][number];

/** A tool was called as often as it may be in a day or month. */
export class UsedUp extends Failure {
  constructor(
    readonly window: "daily" | "monthly",
    readonly limit: number,
  ) {
    super(429, "used_up", "", "", [], null);
  }
}

/** The calls of the tools that are left, as the last response said; null if they are not limited. */
export interface Left {
  calls: number;
  window: "day" | "month";
  until: number; // when the day or month ends, in milliseconds
}

const counted = newListeners();

export const left = {
  value: null as Left | null,
  note(headers: Headers) {
    this.value = null;
    for (const [window, name] of [["day", "Day"], ["month", "Month"]] as const) {
      const calls = headers.get(`X-RateLimit-Remaining-${name}`);
      if (calls !== null) this.value = { calls: Number(calls), window, until: Date.now() + 1000 * Number(headers.get(`X-RateLimit-Reset-${name}`)) };
    }
    counted.call();
  },
  subscribe: counted.subscribe,
};

async function post<T>(path: keyof paths, body: BodyInit, headers: Record<string, string> = {}): Promise<T> {
  const organisation = activeOrganisation.get();
  let response: Response;
  try {
    response = await fetch(`/v1-3${path}`, { method: "POST", body, headers: { ...headers, ...(organisation && { "X-Active-Org": organisation }) } });
  } catch {
    throw new Failure(0, "offline", "", "", [], null);
  }
  environment.note(response.headers.get("X-Khatm-Environment"));
  left.note(response.headers);
  if (response.status === 429) {
    const said = (await response.clone().json().catch(() => ({}))) as { window?: unknown; limit?: unknown };
    if (said.window === "daily" || said.window === "monthly") throw new UsedUp(said.window, Number(said.limit));
  }
  if (!response.ok) throw await failureOf(response);
  return (await response.json()) as T;
}

/** Reads an invoice from a file. */
export function parseInvoice(file: File): Promise<Parsed> {
  const form = new FormData();
  form.set("file", file);
  return post("/api/public/parse-invoice/", form);
}

/** Checks an invoice as parseInvoice returns it. */
export function checkInvoice(invoice: NonNullable<Parsed["invoice"]>): Promise<Checked> {
  return post("/api/public/validate-zatca/", JSON.stringify(invoice), { "Content-Type": "application/json" });
}
