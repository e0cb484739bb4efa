import type { settings as ar } from "../ar/settings";

export const settings: Record<keyof typeof ar, string> = {
  plan_title: "Plan and usage",
  plan_current: "Current plan",
  plan_other: "Available plans",
  plan_change: "To change the plan, contact the operator of this system.",
  plan_invoices: "{count} invoices a month",
  plan_api: "Includes API access",
  plan_no_api: "Without API access",
};
