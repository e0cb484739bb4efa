import type { home as ar } from "../ar/home";

export const home: Record<keyof typeof ar, string> = {
  verdict_ok: "All your invoices are accepted by the authority",
  verdict_waiting: "Your invoices are fine; some wait for the authority",
  verdict_action: "Some things need you",
  verdict_ok_text: "Nothing waits for you.",
  verdict_waiting_text: "Invoices are sent automatically. There is nothing to do now.",
  see_all: "See all",
  latest: "Latest invoices",
  used_this_month: "Invoices this month",
  of_limit: "of {limit} in the plan",
  unlimited: "No limit in the plan",
  nothing_waits: "Nothing needs you",
  nothing_waits_text: "If an invoice is rejected, a device stops or a certificate is about to expire, you find it here with the fix.",
  open_document: "Open the document",
  correct: "Correct",
  more_not_shown: "There are more entries that are not shown here.",
};
