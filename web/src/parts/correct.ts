import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { app } from "../data/client";

interface Places {
  causes: { path: string | null }[];
  changes: { path: string }[];
}

/** Returns the address of the draft that corrects a document, at the first faulty field. */
function addressOf(draft: string, { causes, changes }: Places): string {
  const path = causes.find((cause) => cause.path)?.path ?? changes[0]?.path;
  return `/drafts/${draft}${path ? `?field=${encodeURIComponent(path)}` : ""}`;
}

/** Creates the draft that corrects a rejected document, and opens it. */
export function useCorrect(invoice: string) {
  const [, navigate] = useLocation();
  const queries = useQueryClient();
  const correct = useMutation({
    mutationFn: () => app.POST("/api/invoices/{invoice_id}/correct/", { params: { path: { invoice_id: invoice } } }),
    onSuccess: ({ data }) => {
      void queries.invalidateQueries({ queryKey: ["attention"] });
      void queries.invalidateQueries({ queryKey: ["invoice", invoice] });
      if (data) navigate(addressOf(data.uuid, data));
    },
  });
  return { run: () => correct.mutate(), isPending: correct.isPending, error: correct.error, addressOf };
}
