import type { payments as ar } from "../ar/payments";

export const payments: Record<keyof typeof ar, string> = {
  statement_title: "Statement",
};
