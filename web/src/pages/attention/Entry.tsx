import { useMutation, useQueryClient } from "@tanstack/react-query";
import { CircleAlert, Info, TriangleAlert } from "lucide-react";
import { useLocation } from "wouter";
import { app } from "../../data/client";
import type { AttentionEntry } from "../../data/queries";
import { Action, ActionLink } from "../../parts/Action";
import { Moment } from "../../parts/Moment";
import { useFailureText } from "../../parts/states";
import { useWords } from "../../words";

const looks = {
  critical: { icon: CircleAlert, colours: "bg-bad-tint text-bad" },
  warning: { icon: TriangleAlert, colours: "bg-wait-tint text-wait" },
  info: { icon: Info, colours: "bg-tint text-accent" },
};

/** One thing that waits for a person, with its fix. */
export function Entry({ entry }: { entry: AttentionEntry }) {
  const { t, pick } = useWords();
  const { icon: Icon, colours } = looks[entry.level];
  return (
    <li className="grid grid-cols-[auto_1fr] items-start gap-x-3 gap-y-2 px-4 py-3 sm:grid-cols-[auto_1fr_auto]">
      <span className={`grid size-9 place-items-center rounded-md ${colours}`}><Icon size={18} aria-hidden /></span>
      <div className="min-w-0">
        <p className="font-bold">{pick(entry.message_ar, entry.message)}</p>
        <p className="text-muted">{pick(entry.fix_ar, entry.fix)}</p>
        {entry.since && <p className="text-xs text-muted"><Moment at={entry.since} /></p>}
      </div>
      <div className="col-start-2 sm:col-start-3">
        {entry.kind === "rejected" && entry.subject ? <Correct invoice={entry.subject.uuid} /> : entry.subject?.type === "invoice" && <ActionLink href={`/invoices/${entry.subject.uuid}`}>{t("open_document")}</ActionLink>}
      </div>
    </li>
  );
}

/** Opens the draft that corrects a rejected document. */
function Correct({ invoice }: { invoice: string }) {
  const { t } = useWords();
  const [, navigate] = useLocation();
  const queries = useQueryClient();
  const text = useFailureText();
  const correct = useMutation({
    mutationFn: () => app.POST("/api/invoices/{invoice_id}/correct/", { params: { path: { invoice_id: invoice } } }),
    onSuccess: ({ data }) => {
      void queries.invalidateQueries({ queryKey: ["attention"] });
      if (!data) return;
      const field = data.changes[0]?.path ?? data.causes.find((cause) => cause.path)?.path;
      navigate(`/drafts/${data.uuid}${field ? `?field=${encodeURIComponent(field)}` : ""}`);
    },
  });
  return (
    <div className="grid justify-items-end gap-1">
      <Action onPress={() => correct.mutate()} isDisabled={correct.isPending}>{t("correct")}</Action>
      {correct.error && <p role="alert" className="text-xs text-bad">{text(correct.error)}</p>}
    </div>
  );
}
